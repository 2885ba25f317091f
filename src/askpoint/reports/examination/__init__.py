"""What an examination found, said."""
