"""Whole logs: which known errors are in them, how often and where.

Nearly all of a log is of no interest, so it is narrowed down before anything is matched:

    bytes → blocks that begin with an event (`blocks`) → lines that hold the key of a
    pattern (`narrow` with numpy, else `filed`) → events of several lines, and single lines
    (`events`) → the engine, with those patterns alone (`exact`) → each error once (`scan`)

An event counts when the whole message of a record is in it: the exact tier of matching.
For every event the answer is the one that the engine gives by itself; a test proves it.
"""
