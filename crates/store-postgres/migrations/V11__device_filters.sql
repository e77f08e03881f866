-- What live devices are counted by: statistics, bills and filters are answered from this index. What
-- every message changes (`last_seen_at`) is not in it, so that messages still update a row in place.
CREATE INDEX device_by_facts ON device
    (reseller_id, first_seen_at, end_user_id, customer_id, is_active, is_principal)
    WHERE deleted_at IS NULL;

-- The few among many, in the order of lists.
CREATE INDEX device_in_maintenance ON device (reseller_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND status = 'maintenance';
