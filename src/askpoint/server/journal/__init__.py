"""Who decided what: an append-only log."""
