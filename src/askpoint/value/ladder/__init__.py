"""A ladder of models and people: which to call next, when to answer and when to ask."""
