-- Readings in blocks: up to 32 of a device within one calendar month (UTC), under the time of the first
-- one. A row for each reading spent more on itself, and on the index, than on what was read.

-- Whoever settles with an older program is waited for first, and then finds nothing to settle in.
LOCK TABLE device, reading IN ACCESS EXCLUSIVE MODE;

CREATE TABLE reading_block (
    reseller_id uuid NOT NULL,
    device      bigint NOT NULL,
    since       bigint NOT NULL,
    readings    bytea NOT NULL,
    PRIMARY KEY (reseller_id, device, since),
    FOREIGN KEY (reseller_id, device) REFERENCES device (reseller_id, key)
) PARTITION BY RANGE (since);
-- The bytes are packed already.
ALTER TABLE reading_block ALTER COLUMN readings SET STORAGE EXTERNAL;

CREATE TABLE reading_block_default PARTITION OF reading_block DEFAULT;
DO $$ DECLARE month record; BEGIN
    FOR month IN
        SELECT replace(c.relname, 'reading_', 'reading_block_') AS name,
            pg_get_expr(c.relpartbound, c.oid) AS bounds
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'reading'::regclass AND c.relname <> 'reading_default'
    LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF reading_block %s', month.name, month.bounds);
    END LOOP;
END $$;

-- In the plain form: a zero byte, then 8 bytes of time, 8 of volume and 4 of battery for each reading,
-- where the least number stands for no battery. `rank` is the same for readings of the same time, which
-- never part.
INSERT INTO reading_block
    SELECT reseller_id, device, min(ts), '\x00'::bytea || string_agg(
        int8send(ts) || int8send(volume) || int4send(coalesce(battery_uv, -2147483648)), ''
        ORDER BY ts, volume)
    FROM (
        SELECT *, (rank() OVER (PARTITION BY reseller_id, device, month ORDER BY ts) - 1) / 32
            AS number
        FROM (
            SELECT *, date_trunc('month', timestamp 'epoch' + ts * interval '1 microsecond') AS month
            FROM reading
        ) AS r
    ) AS r
    GROUP BY reseller_id, device, month, number;

DROP TABLE reading;

-- A block begins with one reading and is stored anew with each that it takes. Room for what it will hold
-- keeps that on its page and out of the index.
DO $$ DECLARE month regclass; BEGIN
    FOR month IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'reading_block'::regclass LOOP
        EXECUTE format('ALTER TABLE %s SET (fillfactor = 25)', month);
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', month);
    END LOOP;
END $$;

ALTER TABLE reading_block ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenancy ON reading_block
    USING (reseller_id = current_setting('app.reseller_id')::uuid)
    WITH CHECK (reseller_id = current_setting('app.reseller_id')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON reading_block TO weir_app;

-- In a flood one transaction updates every device. Room for a second version of each keeps that on its page
-- and out of the indexes.
ALTER TABLE device SET (fillfactor = 45);
