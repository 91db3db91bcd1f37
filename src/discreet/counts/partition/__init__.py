"""How a universe is cut top-down: the tree, its noise by itself, the choices made of both."""
