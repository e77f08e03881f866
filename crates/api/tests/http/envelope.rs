//! What every answer has in common, and that every error has the one form.

mod bodies;
mod hostile;
mod paths;
mod transport;
