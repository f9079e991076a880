"""Small data that come with the package: a real survey, and toy laws whose answers are known."""
