"""How COAT and PCTA merge items: constraints, choices, and a partition that meets them."""
