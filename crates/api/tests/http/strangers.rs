//! Nobody learns anything without credentials, or of another reseller.

mod credentials;
mod paths;
mod resellers;
mod table;
