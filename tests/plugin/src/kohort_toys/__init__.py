"""One of each: a model, a metric, an algorithm, a hierarchy."""
