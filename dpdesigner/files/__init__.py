"""Studies and outcomes to and from disk."""
