"""From a question and a log to numbers; no sentence."""
