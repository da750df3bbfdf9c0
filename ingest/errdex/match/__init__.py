"""Text → the records whose message it holds, best first."""
