"""What players do and see."""
