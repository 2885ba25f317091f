"""From labels to what is to be expected of new cases: the calibrated posterior of being right."""
