"""A paste, read in a few alternative ways; one cleaning pass a module."""
