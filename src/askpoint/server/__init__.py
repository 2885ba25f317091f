"""People beat the machine in a browser: the server stores, authorises and shows; `game` rules."""
