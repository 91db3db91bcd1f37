"""Does a mechanism keep its epsilon: neighbouring data, repeated runs, a verdict."""
