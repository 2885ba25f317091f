"""Beat the Machine (2015), replayed."""
