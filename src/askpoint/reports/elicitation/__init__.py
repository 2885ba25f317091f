"""What an interview found, said."""
