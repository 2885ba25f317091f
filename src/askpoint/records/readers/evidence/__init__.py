"""What the columns of a table are, from what their values do, and from their names where those tell no more."""
