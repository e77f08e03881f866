-- When an API key was last used, to the minute; null where no use was noted. Nothing else of a key
-- ever changes.
ALTER TABLE api_key ADD COLUMN last_used_at bigint;
GRANT UPDATE (last_used_at) ON api_key TO weir_app;

-- Who is a member where is shown to a reseller of its own members only. Who signs in is looked up by
-- what they are known by, which has to be given to the letter: the list cannot be read.
ALTER TABLE membership ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenancy ON membership
    USING (reseller_id = current_setting('app.reseller_id')::uuid)
    WITH CHECK (reseller_id = current_setting('app.reseller_id')::uuid);

CREATE FUNCTION memberships_of(kinds text[], issuers text[], names text[])
    RETURNS TABLE (reseller_id uuid, member_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
    AS 'SELECT DISTINCT m.reseller_id, m.member_id FROM membership m
        JOIN unnest(kinds, issuers, names) AS known (kind, issuer, name)
            USING (kind, issuer, name)';
REVOKE ALL ON FUNCTION memberships_of(text[], text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memberships_of(text[], text[], text[]) TO weir_app;
