"""Pictures: one file per science room, scikit-learn's Display habits, one look."""
