"""What the methods that generalise sets share: what to protect, and how it is published."""
