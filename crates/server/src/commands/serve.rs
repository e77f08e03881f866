//! `weir serve`

use std::net::SocketAddr;

use crate::cli::Serve;
use crate::demo;
use crate::failure::Failure;
use crate::output;
use crate::service::{Demonstration, Service};
use crate::settings::Settings;

/// Runs the service until it is told to stop.
pub async fn run(args: Serve, mut settings: Settings) -> Result<(), Failure> {
    settings.listen = args.listen.unwrap_or(settings.listen);
    // First of all: whoever is told to stop while it starts stops in order too.
    let mut stop = Box::pin(told_to_stop()?);
    let service = Service::start(&settings).await?;
    if args.demo {
        let ways = tokio::select! {
            ways = service.demonstrate() => ways?,
            // What is missing of the demonstration is made at the next start.
            () = &mut stop => {
                service.run_until(std::future::ready(())).await;
                return Ok(());
            }
        };
        output::lines(invitation(service.address(), &ways))?;
    }
    tracing::info!("listening on http://{}", service.address());
    service.run_until(stop).await;
    Ok(())
}

/// What to try with the demonstration.
fn invitation(address: SocketAddr, ways: &Demonstration) -> Vec<String> {
    let key = ways.key.reveal();
    let curl = |path: &str| format!("  curl -s -H \"X-API-Key: {key}\" \"http://{address}{path}\"");
    vec![
        format!("Weir is at http://{address}, its documentation at http://{address}/docs"),
        format!("The API key of {} is {key}", demo::RESELLER),
        "Look at it with a browser; the link signs in once, within 15 minutes:".to_owned(),
        format!("  {}", ways.link.as_str()),
        "Try:".to_owned(),
        curl("/api/v1/devices?is_principal=true"),
        curl("/api/v1/devices/70b3d57ed0de0201/consumption-per-day?days=45"),
        curl("/api/v1/devices/stats"),
    ]
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
