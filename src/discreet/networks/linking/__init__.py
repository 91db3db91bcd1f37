"""What an attacker links people by, and the claims that come out of it."""
