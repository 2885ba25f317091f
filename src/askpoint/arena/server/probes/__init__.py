"""Cases that players try and submit."""
