"""What else would have led to a published table: other ways to generalise, other inputs."""
