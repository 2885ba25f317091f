"""The front door, and words that all pages share."""
