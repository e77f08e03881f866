-- Finished days of devices, so that they need not be computed from readings again. `day` counts days
-- since 1970-01-01 in the time zone that the device's row names; `days_until` says how far they can be
-- trusted.

-- Messages change these two with the rest of the row, and no index knows them.
ALTER TABLE device
    ADD COLUMN days_until bigint,
    ADD COLUMN days_zone text;
-- Nothing is kept yet of what was read before.
UPDATE device SET days_until = 0 WHERE newest_reading_at IS NOT NULL;

CREATE TABLE day (
    reseller_id  uuid NOT NULL,
    device       bigint NOT NULL,
    day          integer NOT NULL,
    consumption  bigint NOT NULL,
    last_reading bigint NOT NULL,
    is_reset     boolean NOT NULL,
    PRIMARY KEY (reseller_id, device, day),
    FOREIGN KEY (reseller_id, device) REFERENCES device (reseller_id, key)
);

ALTER TABLE day ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenancy ON day
    USING (reseller_id = current_setting('app.reseller_id')::uuid)
    WITH CHECK (reseller_id = current_setting('app.reseller_id')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON day TO weir_app;
