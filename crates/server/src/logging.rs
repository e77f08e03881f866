//! The log, on stderr.

use tracing_subscriber::EnvFilter;

use crate::settings::Settings;

/// Starts logging. A filter that cannot be read is replaced by the default one, loudly.
pub fn start(settings: &Settings) {
    let filter = EnvFilter::try_new(&settings.log);
    let unreadable = filter.as_ref().err().map(ToString::to_string);
    let filter = filter.unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = if settings.log_json {
        log.json().try_init()
    } else {
        log.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).try_init()
    };
    // Tests run several services in one process; the first one's log serves them all.
    drop(started);
    if let Some(reason) = unreadable {
        tracing::warn!(log = settings.log, reason, "the log filter cannot be read");
    }
}
