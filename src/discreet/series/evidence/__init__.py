"""What several releases say together: ranges of copies, joint worlds, posteriors."""
