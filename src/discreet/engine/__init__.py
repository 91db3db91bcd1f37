"""The machines: compiled kernels, and the tables they run on."""
