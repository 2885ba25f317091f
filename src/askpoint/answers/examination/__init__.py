"""What a model is wrong about."""
