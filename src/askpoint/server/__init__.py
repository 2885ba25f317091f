"""A server for people in a browser: it stores, authorises and shows; the pure rooms rule."""
