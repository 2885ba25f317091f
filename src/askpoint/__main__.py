"""``python -m askpoint`` is the command ``askpoint``."""

from askpoint.cli.main import main

if __name__ == "__main__":
    main()
