"""Every point that moves: double entry, append-only."""
