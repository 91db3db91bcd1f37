"""Published tables read back: the people behind them, and their sets."""
