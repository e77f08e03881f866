-- Members: who signs in for a reseller. A person is known by an e-mail address (kind 'email', no issuer)
-- or by what an issuer calls them (kind 'subject').

-- Of which resellers someone is a member, looked up before the reseller is known. Nobody is a member
-- without being found here.
CREATE TABLE membership (
    kind        text NOT NULL CHECK (kind IN ('email', 'subject')),
    issuer      text NOT NULL CHECK ((issuer = '') = (kind = 'email')),
    name        text NOT NULL,
    reseller_id uuid NOT NULL,
    member_id   uuid NOT NULL,
    PRIMARY KEY (kind, issuer, name, reseller_id)
);
CREATE INDEX membership_by_member ON membership (reseller_id, member_id);

CREATE TABLE member (
    reseller_id uuid NOT NULL REFERENCES reseller (id),
    id          uuid NOT NULL,
    kind        text NOT NULL,
    issuer      text NOT NULL,
    name        text NOT NULL,
    role        text NOT NULL,
    created_at  bigint NOT NULL,
    PRIMARY KEY (reseller_id, id),
    UNIQUE (reseller_id, kind, issuer, name),
    FOREIGN KEY (reseller_id, kind, issuer, name)
        REFERENCES membership (reseller_id, kind, issuer, name)
);

ALTER TABLE member ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenancy ON member
    USING (reseller_id = current_setting('app.reseller_id')::uuid)
    WITH CHECK (reseller_id = current_setting('app.reseller_id')::uuid);

GRANT SELECT, INSERT, DELETE ON member, membership TO weir_app;

-- Signing in, which is no reseller's. Of secrets there are keyed hashes, and signing keys are sealed.

-- A link that was used stays until it is forgotten with the others: it counts among those sent.
CREATE TABLE magic_link (
    hash       bytea PRIMARY KEY CHECK (length(hash) = 32),
    browser    bytea NOT NULL CHECK (length(browser) = 32),
    email      text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    is_used    boolean NOT NULL DEFAULT false
);
CREATE INDEX magic_link_by_email ON magic_link (email, created_at);
CREATE INDEX magic_link_by_expiry ON magic_link (expires_at);

CREATE TABLE sign_in_session (
    id           uuid PRIMARY KEY,
    email        text,
    issuer       text,
    subject      text,
    refresh      bytea NOT NULL CHECK (length(refresh) = 32),
    previous     bytea CHECK (length(previous) = 32),
    refreshed_at bigint NOT NULL,
    created_at   bigint NOT NULL,
    expires_at   bigint NOT NULL,
    CHECK (email IS NOT NULL OR subject IS NOT NULL),
    CHECK ((issuer IS NULL) = (subject IS NULL))
);
CREATE INDEX sign_in_session_by_expiry ON sign_in_session (expires_at);

CREATE TABLE signing_key (
    id         text PRIMARY KEY,
    sealed     bytea NOT NULL,
    created_at bigint NOT NULL
);

GRANT SELECT, INSERT, UPDATE, DELETE ON magic_link, sign_in_session TO weir_app;
GRANT SELECT, INSERT, DELETE ON signing_key TO weir_app;
