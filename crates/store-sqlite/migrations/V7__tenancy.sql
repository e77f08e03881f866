-- Guards: no statement writes a row of a reseller that its connection is not bound to, whatever its
-- WHERE says. `current_reseller()` is a function of the connection and fails while no reseller is
-- bound; a connection that lacks the function cannot write here at all.
--
-- Reads go through views that every process makes for itself, under names that nobody can guess.

CREATE TRIGGER guard_reseller_insert BEFORE INSERT ON reseller
WHEN NEW.id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the reseller is another reseller''s');
END;

CREATE TRIGGER guard_reseller_update BEFORE UPDATE ON reseller
WHEN OLD.id IS NOT current_reseller() OR NEW.id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the reseller is another reseller''s');
END;

CREATE TRIGGER guard_reseller_delete BEFORE DELETE ON reseller
WHEN OLD.id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the reseller is another reseller''s');
END;

CREATE TRIGGER guard_reseller_alias_insert BEFORE INSERT ON reseller_alias
WHEN NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the reseller_alias is another reseller''s');
END;

CREATE TRIGGER guard_reseller_alias_update BEFORE UPDATE ON reseller_alias
WHEN OLD.reseller_id IS NOT current_reseller() OR NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the reseller_alias is another reseller''s');
END;

CREATE TRIGGER guard_reseller_alias_delete BEFORE DELETE ON reseller_alias
WHEN OLD.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the reseller_alias is another reseller''s');
END;

CREATE TRIGGER guard_api_key_insert BEFORE INSERT ON api_key
WHEN NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the api_key is another reseller''s');
END;

CREATE TRIGGER guard_api_key_update BEFORE UPDATE ON api_key
WHEN OLD.reseller_id IS NOT current_reseller() OR NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the api_key is another reseller''s');
END;

CREATE TRIGGER guard_api_key_delete BEFORE DELETE ON api_key
WHEN OLD.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the api_key is another reseller''s');
END;

CREATE TRIGGER guard_customer_insert BEFORE INSERT ON customer
WHEN NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the customer is another reseller''s');
END;

CREATE TRIGGER guard_customer_update BEFORE UPDATE ON customer
WHEN OLD.reseller_id IS NOT current_reseller() OR NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the customer is another reseller''s');
END;

CREATE TRIGGER guard_customer_delete BEFORE DELETE ON customer
WHEN OLD.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the customer is another reseller''s');
END;

CREATE TRIGGER guard_end_user_insert BEFORE INSERT ON end_user
WHEN NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the end_user is another reseller''s');
END;

CREATE TRIGGER guard_end_user_update BEFORE UPDATE ON end_user
WHEN OLD.reseller_id IS NOT current_reseller() OR NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the end_user is another reseller''s');
END;

CREATE TRIGGER guard_end_user_delete BEFORE DELETE ON end_user
WHEN OLD.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the end_user is another reseller''s');
END;

CREATE TRIGGER guard_device_insert BEFORE INSERT ON device
WHEN NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the device is another reseller''s');
END;

CREATE TRIGGER guard_device_update BEFORE UPDATE ON device
WHEN OLD.reseller_id IS NOT current_reseller() OR NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the device is another reseller''s');
END;

CREATE TRIGGER guard_device_delete BEFORE DELETE ON device
WHEN OLD.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the device is another reseller''s');
END;

CREATE TRIGGER guard_sighting_insert BEFORE INSERT ON sighting
WHEN NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the sighting is another reseller''s');
END;

CREATE TRIGGER guard_sighting_update BEFORE UPDATE ON sighting
WHEN OLD.reseller_id IS NOT current_reseller() OR NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the sighting is another reseller''s');
END;

CREATE TRIGGER guard_sighting_delete BEFORE DELETE ON sighting
WHEN OLD.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the sighting is another reseller''s');
END;

CREATE TRIGGER guard_sighting_reading_insert BEFORE INSERT ON sighting_reading
WHEN NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the sighting_reading is another reseller''s');
END;

CREATE TRIGGER guard_sighting_reading_update BEFORE UPDATE ON sighting_reading
WHEN OLD.reseller_id IS NOT current_reseller() OR NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the sighting_reading is another reseller''s');
END;

CREATE TRIGGER guard_sighting_reading_delete BEFORE DELETE ON sighting_reading
WHEN OLD.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the sighting_reading is another reseller''s');
END;

CREATE TRIGGER guard_sighting_tally_insert BEFORE INSERT ON sighting_tally
WHEN NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the sighting_tally is another reseller''s');
END;

CREATE TRIGGER guard_sighting_tally_update BEFORE UPDATE ON sighting_tally
WHEN OLD.reseller_id IS NOT current_reseller() OR NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the sighting_tally is another reseller''s');
END;

CREATE TRIGGER guard_sighting_tally_delete BEFORE DELETE ON sighting_tally
WHEN OLD.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the sighting_tally is another reseller''s');
END;

CREATE TRIGGER guard_quota_usage_insert BEFORE INSERT ON quota_usage
WHEN NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the quota_usage is another reseller''s');
END;

CREATE TRIGGER guard_quota_usage_update BEFORE UPDATE ON quota_usage
WHEN OLD.reseller_id IS NOT current_reseller() OR NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the quota_usage is another reseller''s');
END;

CREATE TRIGGER guard_quota_usage_delete BEFORE DELETE ON quota_usage
WHEN OLD.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the quota_usage is another reseller''s');
END;

-- A reading is whose its device is.

CREATE TRIGGER guard_reading_insert BEFORE INSERT ON reading
WHEN (SELECT reseller_id FROM device WHERE key = NEW.device) IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the reading is another reseller''s');
END;

CREATE TRIGGER guard_reading_update BEFORE UPDATE ON reading
WHEN (SELECT reseller_id FROM device WHERE key = OLD.device) IS NOT current_reseller()
    OR (SELECT reseller_id FROM device WHERE key = NEW.device) IS NOT current_reseller()
BEGIN
    SELECT RAISE(ABORT, 'the reading is another reseller''s');
END;

CREATE TRIGGER guard_reading_delete BEFORE DELETE ON reading
WHEN (SELECT reseller_id FROM device WHERE key = OLD.device) IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the reading is another reseller''s');
END;

-- Two lookup tables are written within a scope and across resellers. `is_out_of_scope()` is false for
-- everyone while the connection works across resellers.

CREATE TRIGGER guard_eui_claim_insert BEFORE INSERT ON eui_claim
WHEN is_out_of_scope(NEW.reseller_id) BEGIN
    SELECT RAISE(ABORT, 'the eui_claim is another reseller''s');
END;

CREATE TRIGGER guard_eui_claim_update BEFORE UPDATE ON eui_claim
WHEN is_out_of_scope(OLD.reseller_id) OR is_out_of_scope(NEW.reseller_id) BEGIN
    SELECT RAISE(ABORT, 'the eui_claim is another reseller''s');
END;

CREATE TRIGGER guard_eui_claim_delete BEFORE DELETE ON eui_claim
WHEN is_out_of_scope(OLD.reseller_id) BEGIN
    SELECT RAISE(ABORT, 'the eui_claim is another reseller''s');
END;

CREATE TRIGGER guard_quota_lease_insert BEFORE INSERT ON quota_lease
WHEN is_out_of_scope(NEW.reseller_id) BEGIN
    SELECT RAISE(ABORT, 'the quota_lease is another reseller''s');
END;

CREATE TRIGGER guard_quota_lease_update BEFORE UPDATE ON quota_lease
WHEN is_out_of_scope(OLD.reseller_id) OR is_out_of_scope(NEW.reseller_id) BEGIN
    SELECT RAISE(ABORT, 'the quota_lease is another reseller''s');
END;

CREATE TRIGGER guard_quota_lease_delete BEFORE DELETE ON quota_lease
WHEN is_out_of_scope(OLD.reseller_id) BEGIN
    SELECT RAISE(ABORT, 'the quota_lease is another reseller''s');
END;
