-- What is known of customers and end users beside their names.

-- Lists are in the order of names without regard to case. The folded name is kept rather than
-- computed in an index: a later ICU may fold a rare letter differently, and an index would then no
-- longer find what it holds.
ALTER TABLE customer
    ADD COLUMN email text,
    ADD COLUMN phone text,
    ADD COLUMN address text,
    ADD COLUMN timezone text,
    ADD COLUMN folded_name text COLLATE "C"
        GENERATED ALWAYS AS (lower(name COLLATE "und-x-icu")) STORED;
CREATE INDEX customer_by_name ON customer (reseller_id, folded_name, id);

ALTER TABLE end_user
    ADD COLUMN email text,
    ADD COLUMN folded_name text COLLATE "C"
        GENERATED ALWAYS AS (lower(name COLLATE "und-x-icu")) STORED;
CREATE INDEX end_user_by_name ON end_user (reseller_id, folded_name, id);

-- The end users of a customer, in the order in which they were created.
DROP INDEX end_user_by_customer;
CREATE INDEX end_user_by_customer ON end_user (reseller_id, customer_id, created_at, id);
