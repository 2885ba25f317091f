"""The JSON API: tokens, and what their roles may read and do, by the services of the pages."""
