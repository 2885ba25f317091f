"""What a few labelled items add to votes."""
