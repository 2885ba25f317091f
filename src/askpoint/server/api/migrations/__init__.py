"""Tables of the API."""
