"""Web pages that players bring by their address: fetched safely, and read apart."""
