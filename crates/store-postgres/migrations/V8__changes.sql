-- News of committed changes travels by NOTIFY on the channel weir_change and needs no table here.
SELECT 1;
