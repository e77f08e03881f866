//! `weir serve`

use crate::cli::Serve;
use crate::failure::Failure;
use crate::service::Service;
use crate::settings::Settings;

/// Runs the service until it is told to stop.
pub async fn run(args: Serve, mut settings: Settings) -> Result<(), Failure> {
    settings.listen = args.listen.unwrap_or(settings.listen);
    let service = Service::start(&settings).await?;
    tracing::info!("listening on http://{}", service.address());
    service.run_until(told_to_stop()?).await;
    Ok(())
}

/// Waits for SIGTERM or SIGINT. The handlers stand when this returns.
fn told_to_stop() -> Result<impl Future<Output = ()>, Failure> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => tracing::info!("stopping, as SIGTERM asks"),
            _ = interrupt.recv() => tracing::info!("stopping, as SIGINT asks"),
        }
    })
}
