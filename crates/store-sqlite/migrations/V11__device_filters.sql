-- What live devices are counted by: statistics, bills and filters are answered from this index
-- without a look at the devices themselves. What every message changes (`status`, `last_seen_at`) is
-- not in it; `deleted_at` is, though it is always null here: SQLite asks for it.

CREATE INDEX device_by_facts ON device
    (reseller_id, is_active, is_principal, first_seen_at, customer_id, end_user_id, deleted_at)
    WHERE deleted_at IS NULL;
