"""What a simulated crowd found, said."""
