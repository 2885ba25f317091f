"""What mistakes of a classifier in use cost: asked in browsers, of several people, by links."""
