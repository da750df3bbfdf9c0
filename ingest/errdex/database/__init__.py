"""The one SQLite file: its schema, how it is opened, and what is asked of it."""
