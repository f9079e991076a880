"""Where the rooms meet: whole ways through the house, each with one immutable result."""
