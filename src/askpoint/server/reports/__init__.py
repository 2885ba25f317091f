"""Pages of uploaded logs and their reports, made in the background, from which a policy is put into use."""
