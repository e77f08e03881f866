-- Changes of devices' end users, each with the facts of the report that goes with it. End users are
-- named and not referred to: a record outlives them. The facts come last, so that a walk through
-- records does not read them.

CREATE TABLE ownership (
    reseller_id BLOB NOT NULL REFERENCES reseller (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    device_id BLOB NOT NULL,
    previous_end_user_id BLOB CHECK (length(previous_end_user_id) = 16),
    new_end_user_id BLOB CHECK (length(new_end_user_id) = 16),
    changed_at INTEGER NOT NULL,
    changed_by TEXT NOT NULL,
    has_report INTEGER NOT NULL CHECK (has_report IN (0, 1)),
    notes TEXT,
    report TEXT,
    PRIMARY KEY (reseller_id, id),
    CHECK (has_report = (report IS NOT NULL)),
    FOREIGN KEY (reseller_id, device_id) REFERENCES device (reseller_id, id)
) STRICT;

CREATE INDEX ownership_by_device ON ownership
    (reseller_id, device_id, changed_at DESC, id DESC);

CREATE TRIGGER guard_ownership_insert BEFORE INSERT ON ownership
WHEN NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the ownership is another reseller''s');
END;

CREATE TRIGGER guard_ownership_update BEFORE UPDATE ON ownership
WHEN OLD.reseller_id IS NOT current_reseller() OR NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the ownership is another reseller''s');
END;

CREATE TRIGGER guard_ownership_delete BEFORE DELETE ON ownership
WHEN OLD.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the ownership is another reseller''s');
END;
