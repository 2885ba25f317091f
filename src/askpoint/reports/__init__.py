"""The answer in words: one document, for the terminal and for the page."""
