//! Where the database is, and how every connection to it is set up.

use std::time::Duration;

use tokio_postgres::tls::NoTlsStream;
use tokio_postgres::{Client, Config, Connection, NoTls, Socket};

use crate::error::{OpenError, describe};
use crate::{Options, schema};

/// The role that serves: neither owner nor superuser, bound by row-level security.
pub(crate) const APPLICATION: &str = "weir_app";

/// A database and how to connect to it.
#[derive(Debug, Clone)]
pub(crate) struct Address {
    config: Config,
    options: Options,
}

impl Address {
    /// Reads a `postgres://` address.
    pub(crate) fn parse(url: &str, options: Options) -> Result<Self, OpenError> {
        let mut config: Config =
            url.parse().map_err(|error| OpenError::Address(describe(&error)))?;
        config
            .application_name("weir")
            .connect_timeout(options.connect_timeout)
            // A machine that is gone says nothing: these notice it while we wait for an answer.
            .tcp_user_timeout(Duration::from_secs(5))
            .keepalives_idle(Duration::from_secs(3))
            .keepalives_interval(Duration::from_secs(1))
            .keepalives_retries(3);
        Ok(Self { config, options })
    }

    /// Connects with the login of the address.
    pub(crate) async fn connect(
        &self,
    ) -> Result<(Client, Connection<Socket, NoTlsStream>), OpenError> {
        // The configuration's own bound is for the socket; a server may accept and then say nothing.
        self.bounded(async { Ok(self.config.connect(NoTls).await?) }).await
    }

    /// Makes a session one of the application: its role, its timeouts, and the certainty that
    /// row-level security binds it.
    pub(crate) async fn serve_as_application(&self, client: &Client) -> Result<(), OpenError> {
        self.bounded(self.set_up(client)).await
    }

    async fn set_up(&self, client: &Client) -> Result<(), OpenError> {
        let login = schema::login(client).await?;
        let settings = format!(
            "SET statement_timeout = {}; SET lock_timeout = {}; \
             SET idle_in_transaction_session_timeout = {}; SET jit = off",
            self.options.statement_timeout.as_millis(),
            self.options.lock_timeout.as_millis(),
            self.options.statement_timeout.as_millis(),
        );
        client.batch_execute(&settings).await?;
        if login != APPLICATION
            && let Err(error) = client.batch_execute(&format!("SET ROLE {APPLICATION}")).await
        {
            let said = describe(&error);
            return Err(match error.as_db_error() {
                Some(_) => OpenError::Unbound {
                    role: login,
                    reason: format!("it may not take the role {APPLICATION}: {said}"),
                },
                None => OpenError::Unreachable(said),
            });
        }
        schema::assert_bound(client).await
    }

    /// How long an answer is waited for: a little longer than the server lets a statement run.
    pub(crate) fn patience(&self) -> Duration {
        self.options.statement_timeout + Duration::from_secs(2)
    }

    async fn bounded<T>(
        &self,
        answer: impl Future<Output = Result<T, OpenError>>,
    ) -> Result<T, OpenError> {
        let silent = |_| OpenError::Unreachable("it does not answer".into());
        tokio::time::timeout(self.options.connect_timeout, answer).await.map_err(silent)?
    }
}
