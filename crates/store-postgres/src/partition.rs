//! The months that blocks of readings are partitioned by.

use tokio_postgres::{Client, Error};
use weir_domain::{Month, Timestamp};

/// How many months beside the current one there should always be a partition for.
const AHEAD: i32 = 3;

/// How full new blocks make a page, in percent. They begin with one reading and are stored anew with each
/// that they take: room for what they will hold keeps that on the page and out of the index.
const FILL: u8 = 25;

/// Makes the partitions of this month, by the server's clock, and of those that follow. A month that
/// cannot have one now is passed over; its readings go into the default partition.
pub(crate) async fn make_ahead(client: &Client) -> Result<(), Error> {
    let this = current_month(client).await?;
    for number in this.number()..=this.number() + AHEAD {
        make(client, Month::from_number(number)).await?;
    }
    Ok(())
}

/// Whether this month and those that follow all have a partition.
pub(crate) async fn are_ahead(client: &Client) -> Result<bool, Error> {
    let this = current_month(client).await?;
    let names: Vec<String> = (this.number()..=this.number() + AHEAD)
        .map(|number| name(Month::from_number(number)))
        .collect();
    let query = "SELECT bool_and(to_regclass(name) IS NOT NULL) FROM unnest($1::text[]) AS name";
    client.query_one(query, &[&names]).await?.try_get(0)
}

async fn current_month(client: &Client) -> Result<Month, Error> {
    let query = "SELECT (extract(epoch FROM now()) * 1000000)::bigint";
    let now: i64 = client.query_one(query, &[]).await?.try_get(0)?;
    Ok(Month::of(Timestamp::from_micros(now)))
}

async fn make(client: &Client, month: Month) -> Result<(), Error> {
    let (name, from, to) = (name(month), start(month), month.end().micros());
    // A month that the default partition already holds readings of cannot be split off without
    // moving them; looking first spares the exclusive lock. Inside the lock it is checked again.
    let query = "SELECT to_regclass($1) IS NOT NULL
        OR EXISTS (SELECT FROM reading_block_default WHERE since >= $2 AND since < $3)";
    if client.query_one(query, &[&name, &from, &to]).await?.try_get(0)? {
        return Ok(());
    }
    let statements = format!(
        "BEGIN; SET LOCAL lock_timeout = '2s';
         CREATE TABLE {name} PARTITION OF reading_block FOR VALUES FROM ({from}) TO ({to})
             WITH (fillfactor = {FILL});
         ALTER TABLE {name} ENABLE ROW LEVEL SECURITY; COMMIT"
    );
    let Err(error) = client.batch_execute(&statements).await else { return Ok(()) };
    client.batch_execute("ROLLBACK").await?;
    match error.code().map(|state| state.code()) {
        // Another node made it, a reading of that month came first, or the table was too busy: there
        // are months of time left to try again.
        Some("42P07" | "23514" | "55P03") => {
            tracing::info!(partition = name, %error, "a partition of readings was not made");
            Ok(())
        }
        _ => Err(error),
    }
}

fn start(month: Month) -> i64 {
    Month::from_number(month.number() - 1).end().micros()
}

fn name(month: Month) -> String {
    let number = month.number();
    format!("reading_block_{:04}_{:02}", number.div_euclid(12), number.rem_euclid(12) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_follow_each_other_without_a_gap() {
        let december = Month::of(Timestamp::parse("2026-12-31T23:59:59Z").unwrap());
        let january = Month::from_number(december.number() + 1);
        assert_eq!(name(december), "reading_block_2026_12");
        assert_eq!(name(january), "reading_block_2027_01");
        assert_eq!(start(january), december.end().micros());
        assert_eq!(start(december), Timestamp::parse("2026-12-01T00:00:00Z").unwrap().micros());
    }
}
