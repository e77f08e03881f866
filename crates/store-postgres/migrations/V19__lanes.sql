-- How far a spool is settled, for each of the eight lanes that devices are in. Under another name: an
-- older program that still runs is waited for first, and then finds nothing to settle in.
LOCK TABLE spool_position IN ACCESS EXCLUSIVE MODE;
ALTER TABLE spool_position RENAME TO lane_position;

ALTER TABLE lane_position ADD COLUMN lane smallint NOT NULL DEFAULT 0;
ALTER TABLE lane_position ALTER COLUMN lane DROP DEFAULT;
ALTER TABLE lane_position ADD CONSTRAINT lane_position_lane CHECK (lane BETWEEN 0 AND 7);
ALTER TABLE lane_position DROP CONSTRAINT spool_position_pkey;
ALTER TABLE lane_position ADD CONSTRAINT lane_position_pkey PRIMARY KEY (spool_id, lane);

INSERT INTO lane_position (spool_id, lane, sequence)
    SELECT spool_id, next, sequence FROM lane_position CROSS JOIN generate_series(1, 7) AS next;
