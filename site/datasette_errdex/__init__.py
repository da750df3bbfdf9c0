"""The pages of errdex, live, as a Datasette plugin."""
