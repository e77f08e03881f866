-- When an API key was last used, to the minute; null where no use was noted.
ALTER TABLE api_key ADD COLUMN last_used_at INTEGER;
