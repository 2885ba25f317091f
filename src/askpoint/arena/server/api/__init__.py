"""The game's part of the JSON API: what tokens of organisers, players and judges may read and do."""
