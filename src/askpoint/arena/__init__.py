"""Beat the Machine: people are paid to find what a model is confidently wrong about."""
