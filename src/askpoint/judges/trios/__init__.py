"""All trios of many judges, and the search for nearly independent ones."""
