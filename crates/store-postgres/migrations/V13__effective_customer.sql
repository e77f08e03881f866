-- The customer that a device has: its end user's, where it has an end user who belongs to one, else
-- its own. Kept on the row, so that lists are found and ordered by one index.

ALTER TABLE device ADD COLUMN effective_customer_id uuid;
UPDATE device d SET effective_customer_id = coalesce(
        (SELECT u.customer_id FROM end_user u
         WHERE u.reseller_id = d.reseller_id AND u.id = d.end_user_id),
        d.customer_id)
    WHERE d.end_user_id IS NOT NULL OR d.customer_id IS NOT NULL;
ALTER TABLE device ADD FOREIGN KEY (reseller_id, effective_customer_id)
    REFERENCES customer (reseller_id, id);

CREATE INDEX device_by_effective_customer ON device
    (reseller_id, effective_customer_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL;
