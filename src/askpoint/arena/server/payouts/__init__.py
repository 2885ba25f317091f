"""Money that leaves: planned, sent by a provider or by hand, and never twice."""
