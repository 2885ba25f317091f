"""Images that were brought as cases: kept once, sent to who may see them, deleted."""
