-- Row-level security: a transaction sees and touches the reseller in app.reseller_id alone. Where
-- that is not set, the policies raise an error instead of letting rows through.
--
-- The tables keep their owner, whom policies do not bind (FORCE would make foreign keys fail), and
-- are granted to weir_app, which owns nothing. Partitions are granted to nobody: addressed by name,
-- a partition does not ask its parent's policies. Their own row-level security has no policy, so
-- that even a careless grant shows nothing.

ALTER TABLE reseller ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenancy ON reseller
    USING (id = current_setting('app.reseller_id')::uuid)
    WITH CHECK (id = current_setting('app.reseller_id')::uuid);

ALTER TABLE reseller_alias ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenancy ON reseller_alias
    USING (reseller_id = current_setting('app.reseller_id')::uuid)
    WITH CHECK (reseller_id = current_setting('app.reseller_id')::uuid);

ALTER TABLE api_key ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenancy ON api_key
    USING (reseller_id = current_setting('app.reseller_id')::uuid)
    WITH CHECK (reseller_id = current_setting('app.reseller_id')::uuid);

ALTER TABLE customer ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenancy ON customer
    USING (reseller_id = current_setting('app.reseller_id')::uuid)
    WITH CHECK (reseller_id = current_setting('app.reseller_id')::uuid);

ALTER TABLE end_user ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenancy ON end_user
    USING (reseller_id = current_setting('app.reseller_id')::uuid)
    WITH CHECK (reseller_id = current_setting('app.reseller_id')::uuid);

ALTER TABLE device ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenancy ON device
    USING (reseller_id = current_setting('app.reseller_id')::uuid)
    WITH CHECK (reseller_id = current_setting('app.reseller_id')::uuid);

ALTER TABLE reading ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenancy ON reading
    USING (reseller_id = current_setting('app.reseller_id')::uuid)
    WITH CHECK (reseller_id = current_setting('app.reseller_id')::uuid);
ALTER TABLE reading_default ENABLE ROW LEVEL SECURITY;

ALTER TABLE sighting ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenancy ON sighting
    USING (reseller_id = current_setting('app.reseller_id')::uuid)
    WITH CHECK (reseller_id = current_setting('app.reseller_id')::uuid);

ALTER TABLE sighting_reading ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenancy ON sighting_reading
    USING (reseller_id = current_setting('app.reseller_id')::uuid)
    WITH CHECK (reseller_id = current_setting('app.reseller_id')::uuid);

ALTER TABLE quota_usage ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenancy ON quota_usage
    USING (reseller_id = current_setting('app.reseller_id')::uuid)
    WITH CHECK (reseller_id = current_setting('app.reseller_id')::uuid);

DO $$ BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO weir_app', current_schema());
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE
    ON reseller, device, sighting, quota_usage, customer, end_user TO weir_app;
GRANT SELECT, INSERT, DELETE ON reseller_alias, api_key, reading, sighting_reading TO weir_app;

-- Which resellers there are, for work that passes through all of them: their ids and nothing else.
CREATE FUNCTION reseller_ids() RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
    AS 'SELECT id FROM reseller';
REVOKE ALL ON FUNCTION reseller_ids() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reseller_ids() TO weir_app;

-- Outside tenancy, no more than the lookups do.
GRANT SELECT, INSERT, DELETE ON api_key_hash, tenant_name, eui_claim TO weir_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON spool_position, quota_lease TO weir_app;
GRANT SELECT, INSERT ON server_secret TO weir_app;
-- Which version the schema has is no secret, and every login is told when it is not its own.
GRANT SELECT ON refinery_schema_history TO PUBLIC;
