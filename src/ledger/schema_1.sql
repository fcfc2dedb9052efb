-- The ledger's own facts: one row, the root of the hash chain.
CREATE TABLE ledger (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    made_at TEXT NOT NULL,
    program TEXT NOT NULL,
    origin TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- Frames, board files, camera files: each once, by the SHA-256 of its bytes.
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    bytes BLOB NOT NULL
) STRICT;

-- A settled view: the report with its calls, and everything it rests on.
CREATE TABLE views (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    report TEXT NOT NULL,
    facts TEXT NOT NULL
) STRICT;

-- What happened, in order. Only rows of kind 'event' count in the score; their numbers are those of
-- the lines of the match file.
CREATE TABLE entries (
    seq INTEGER PRIMARY KEY,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    kind TEXT NOT NULL,
    match INTEGER NOT NULL,
    number INTEGER,
    at TEXT NOT NULL,
    author TEXT NOT NULL,
    refers INTEGER REFERENCES entries (seq),
    view INTEGER REFERENCES views (id),
    body TEXT NOT NULL,
    shown TEXT,
    CHECK ((kind = 'event') = (number IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX entries_by_number ON entries (match, number) WHERE number IS NOT NULL;
CREATE INDEX entries_by_view ON entries (view) WHERE view IS NOT NULL;

-- The last entry, so that entries cut off at the end are missed.
CREATE TABLE head (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- Nothing is ever edited or removed.
CREATE TRIGGER ledger_keep BEFORE UPDATE ON ledger BEGIN SELECT raise(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER ledger_stay BEFORE DELETE ON ledger BEGIN SELECT raise(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER files_keep BEFORE UPDATE ON files BEGIN SELECT raise(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER files_stay BEFORE DELETE ON files BEGIN SELECT raise(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER views_keep BEFORE UPDATE ON views BEGIN SELECT raise(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER views_stay BEFORE DELETE ON views BEGIN SELECT raise(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER entries_keep BEFORE UPDATE ON entries BEGIN SELECT raise(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER entries_stay BEFORE DELETE ON entries BEGIN SELECT raise(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER entries_in_order BEFORE INSERT ON entries
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM entries)
BEGIN SELECT raise(ABORT, 'entries are numbered without gaps'); END;
CREATE TRIGGER head_forward BEFORE UPDATE ON head WHEN NEW.seq <= OLD.seq
BEGIN SELECT raise(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER head_stay BEFORE DELETE ON head BEGIN SELECT raise(ABORT, 'a ledger is append-only'); END;
