"""What releases promise, one module for each kind of content."""
