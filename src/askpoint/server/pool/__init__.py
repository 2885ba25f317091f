"""One queue for all that somebody labels: the cases of classifiers in use, and of campaigns."""
