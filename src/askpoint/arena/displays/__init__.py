"""Pictures of the arena."""
