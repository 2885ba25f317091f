"""The papers behind askpoint, replayed: their tables and figures beside ours."""
