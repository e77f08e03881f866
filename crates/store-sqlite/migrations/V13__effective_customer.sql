-- The customer that a device has: its end user's, where it has an end user who belongs to one, else
-- its own. It follows from other columns and is kept beside them so that lists can go by it. It has no
-- foreign key of its own (SQLite adds none of two columns to a table that is there): it is always one
-- that the device or its end user refers to.

ALTER TABLE device ADD COLUMN effective_customer_id BLOB;

-- As before, the guard makes way for this one statement.
DROP TRIGGER guard_device_update;

UPDATE device SET effective_customer_id = coalesce(
    (SELECT end_user.customer_id FROM end_user
     WHERE end_user.reseller_id = device.reseller_id AND end_user.id = device.end_user_id),
    customer_id
);

CREATE TRIGGER guard_device_update BEFORE UPDATE ON device
WHEN OLD.reseller_id IS NOT current_reseller() OR NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the device is another reseller''s');
END;

-- The live devices of a customer, and those of none, in the order of lists. Here and below
-- `deleted_at` is always null; SQLite asks for it before it answers from an index alone.
CREATE INDEX device_by_effective_customer ON device
    (reseller_id, effective_customer_id, created_at DESC, id DESC, deleted_at)
    WHERE deleted_at IS NULL;
