"""The commands: they translate, they never decide."""
