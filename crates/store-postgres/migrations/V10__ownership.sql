-- Changes of devices' end users, each with the facts of the report that goes with it. End users are
-- named and not referred to: a record outlives them.

CREATE TABLE ownership (
    reseller_id          uuid NOT NULL REFERENCES reseller (id),
    id                   uuid NOT NULL,
    device_id            uuid NOT NULL,
    previous_end_user_id uuid,
    new_end_user_id      uuid,
    changed_at           bigint NOT NULL,
    changed_by           text NOT NULL,
    has_report           boolean NOT NULL,
    notes                text,
    report               text,
    PRIMARY KEY (reseller_id, id),
    CHECK (has_report = (report IS NOT NULL)),
    FOREIGN KEY (reseller_id, device_id) REFERENCES device (reseller_id, id)
);
CREATE INDEX ownership_by_device ON ownership (reseller_id, device_id, changed_at DESC, id DESC);

ALTER TABLE ownership ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenancy ON ownership
    USING (reseller_id = current_setting('app.reseller_id')::uuid)
    WITH CHECK (reseller_id = current_setting('app.reseller_id')::uuid);

-- Records are history: nobody changes one, and they go with their reseller.
GRANT SELECT, INSERT, DELETE ON ownership TO weir_app;
