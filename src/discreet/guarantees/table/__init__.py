"""The rows of the table of implications, by what they are about. `implications.TABLE` holds them all."""
