-- How many live devices there are of each kind, so that counting them takes no longer the more there
-- are. `customer_id` is the effective customer; the zero UUID stands for none.

-- Rows change with every registration: room on the page keeps that in place.
CREATE TABLE fleet_count (
    reseller_id  uuid NOT NULL REFERENCES reseller (id),
    customer_id  uuid NOT NULL,
    is_assigned  boolean NOT NULL,
    is_principal boolean NOT NULL,
    is_active    boolean NOT NULL,
    devices      bigint NOT NULL,
    PRIMARY KEY (reseller_id, customer_id, is_assigned, is_principal, is_active)
) WITH (fillfactor = 50);
INSERT INTO fleet_count
    SELECT reseller_id, coalesce(effective_customer_id, '00000000-0000-0000-0000-000000000000'),
        end_user_id IS NOT NULL, is_principal, is_active, count(*)
    FROM device WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4, 5;

ALTER TABLE fleet_count ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenancy ON fleet_count
    USING (reseller_id = current_setting('app.reseller_id')::uuid)
    WITH CHECK (reseller_id = current_setting('app.reseller_id')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON fleet_count TO weir_app;

-- What is still counted row by row: devices first seen since a moment.
DROP INDEX device_by_facts;
CREATE INDEX device_by_first_seen ON device (reseller_id, first_seen_at, effective_customer_id)
    WHERE deleted_at IS NULL;

-- The few among many, in the order of lists, whichever side is the few.
CREATE INDEX device_principal ON device (reseller_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND is_principal;
CREATE INDEX device_assigned ON device (reseller_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND end_user_id IS NOT NULL;
CREATE INDEX device_unassigned ON device (reseller_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND end_user_id IS NULL;
