"""Who people are, and the one-time links that let them in."""
