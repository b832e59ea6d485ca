"""Groups released by their centroids; perturbative."""
