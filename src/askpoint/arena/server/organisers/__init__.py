"""What organisers do and see."""
