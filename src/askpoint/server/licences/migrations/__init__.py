"""Changes of the database's tables, in their order."""
