"""The answer on judges, said."""
