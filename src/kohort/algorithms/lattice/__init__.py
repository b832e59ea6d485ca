"""Full-domain generalization: searches of the lattice of levels."""
