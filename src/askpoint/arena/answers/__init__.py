"""What a simulated crowd finds, design by design."""
