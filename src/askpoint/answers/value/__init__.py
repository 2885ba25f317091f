"""Which decisions a model may take alone."""
