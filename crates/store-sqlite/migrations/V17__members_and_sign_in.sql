-- Members: who signs in for a reseller. A person is known by an e-mail address (kind 'email', no issuer)
-- or by what an issuer calls them (kind 'subject').

-- Of which resellers someone is a member, looked up before the reseller is known. Nobody is a member
-- without being found here.
CREATE TABLE membership (
    kind TEXT NOT NULL CHECK (kind IN ('email', 'subject')),
    issuer TEXT NOT NULL CHECK ((issuer = '') = (kind = 'email')),
    name TEXT NOT NULL,
    reseller_id BLOB NOT NULL CHECK (length(reseller_id) = 16),
    member_id BLOB NOT NULL CHECK (length(member_id) = 16),
    PRIMARY KEY (kind, issuer, name, reseller_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX membership_by_member ON membership (reseller_id, member_id);

CREATE TABLE member (
    reseller_id BLOB NOT NULL REFERENCES reseller (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    kind TEXT NOT NULL,
    issuer TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (reseller_id, id),
    UNIQUE (reseller_id, kind, issuer, name),
    FOREIGN KEY (reseller_id, kind, issuer, name)
        REFERENCES membership (reseller_id, kind, issuer, name)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER guard_member_insert BEFORE INSERT ON member
WHEN NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the member is another reseller''s');
END;

CREATE TRIGGER guard_member_update BEFORE UPDATE ON member
WHEN OLD.reseller_id IS NOT current_reseller() OR NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the member is another reseller''s');
END;

CREATE TRIGGER guard_member_delete BEFORE DELETE ON member
WHEN OLD.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the member is another reseller''s');
END;

CREATE TRIGGER guard_membership_insert BEFORE INSERT ON membership
WHEN is_out_of_scope(NEW.reseller_id) BEGIN
    SELECT RAISE(ABORT, 'the membership is another reseller''s');
END;

CREATE TRIGGER guard_membership_update BEFORE UPDATE ON membership
WHEN is_out_of_scope(OLD.reseller_id) OR is_out_of_scope(NEW.reseller_id) BEGIN
    SELECT RAISE(ABORT, 'the membership is another reseller''s');
END;

CREATE TRIGGER guard_membership_delete BEFORE DELETE ON membership
WHEN is_out_of_scope(OLD.reseller_id) BEGIN
    SELECT RAISE(ABORT, 'the membership is another reseller''s');
END;

-- Signing in, which is no reseller's. Of secrets there are keyed hashes, and signing keys are sealed.

-- A link that was used stays until it is forgotten with the others: it counts among those sent.
CREATE TABLE magic_link (
    hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
    browser BLOB NOT NULL CHECK (length(browser) = 32),
    email TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    is_used INTEGER NOT NULL DEFAULT 0 CHECK (is_used IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX magic_link_by_email ON magic_link (email, created_at);
CREATE INDEX magic_link_by_expiry ON magic_link (expires_at);

CREATE TABLE sign_in_session (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    email TEXT,
    issuer TEXT,
    subject TEXT,
    refresh BLOB NOT NULL CHECK (length(refresh) = 32),
    previous BLOB CHECK (length(previous) = 32),
    refreshed_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    CHECK (email IS NOT NULL OR subject IS NOT NULL),
    CHECK ((issuer IS NULL) = (subject IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX sign_in_session_by_expiry ON sign_in_session (expires_at);

CREATE TABLE signing_key (
    id TEXT PRIMARY KEY,
    sealed BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
