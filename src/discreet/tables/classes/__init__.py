"""A table cut into classes of people, and the sets that go with them."""
