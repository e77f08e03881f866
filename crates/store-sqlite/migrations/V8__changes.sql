-- Changes that other processes on this file have to hear of. `origin` tells whose they are. The
-- sequence has no holes, so that one who finds a hole knows that rows were trimmed before it came.

CREATE TABLE change_log (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    origin INTEGER NOT NULL,
    change TEXT NOT NULL
) STRICT;
