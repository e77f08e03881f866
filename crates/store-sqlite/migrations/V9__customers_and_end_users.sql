-- What is known of customers and end users beside their names.

ALTER TABLE customer ADD COLUMN email TEXT;
ALTER TABLE customer ADD COLUMN phone TEXT;
ALTER TABLE customer ADD COLUMN address TEXT;
ALTER TABLE customer ADD COLUMN timezone TEXT;

ALTER TABLE end_user ADD COLUMN email TEXT;

-- The end users of a customer, in the order in which they were created.
DROP INDEX end_user_by_customer;
CREATE INDEX end_user_by_customer ON end_user (reseller_id, customer_id, created_at, id)
    WHERE customer_id IS NOT NULL;
