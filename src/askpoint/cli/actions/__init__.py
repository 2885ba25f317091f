"""What commands do once they are called; their options stand in the files of `askpoint.cli`."""
