"""``python -m discreet``, where the command is not on the path."""

from discreet.cli.root import main

if __name__ == "__main__":
    main()
