"""On the Value of ML Models (2021), replayed."""
