//! How it is seen: pages for signed-in members, made on the server over the same use cases as the
//! interface.
//!
//! # The contract
//!
//! A page is read by a [`visitor::Visitor`], whose session lies in a cookie; whoever has none is sent to
//! sign in and comes back. Every change is a form that works without scripts: its handler takes a
//! [`visitor::Editor`] and a [`forms::Form`], calls one use case of `weir-app`, and sends the browser on
//! with a [`flash::Flash`]. No rule is written here: what a use case refuses is shown in its own words,
//! beside its field where it names one ([`forms::Complaints`]). Scripts only make pages quicker to use.
//!
//! # To add a page
//!
//! 1. Its handler in `src/<page>.rs` (and `src/<page>/…`): a function that takes [`visitor::Visitor`],
//!    opens one transaction with `dashboard.db.read(&visitor.caller.scope, …)`, and returns
//!    [`shown::Shown`] of a struct that derives `askama::Template` and has a field `frame`
//!    ([`frame::Frame`], from [`visitor::Visitor::frame`]).
//! 2. Its template in `templates/<page>/…html`, which extends `frame.html` and fills the blocks `title`
//!    and `content` (and `head` for scripts and styles of its own). Texts come from [`text`], dates and
//!    numbers from [`mod@format`], fields of forms from the macros of `parts.html`.
//! 3. Its line in `routes`, and in [`navigation`] if it is one to begin with.
//!
//! Scripts and styles are files in `assets/`, listed in [`assets`]: pages have none inside them, and
//! browsers are told to run none ([`security`]).

pub mod assets;
pub mod chart;
pub mod choice;
pub mod choose;
pub mod customers;
pub mod device;
pub mod end_users;
pub mod flash;
pub mod fleet;
pub mod format;
pub mod forms;
pub mod frame;
pub mod hierarchy;
pub mod navigation;
pub mod overview;
pub mod paging;
pub mod part;
pub mod problem;
mod routes;
pub mod security;
pub mod settings;
pub mod shown;
pub mod sign_in;
mod state;
pub mod text;
pub mod unregistered;
pub mod visitor;

pub use problem::error_page;
pub use routes::router;
pub use state::Dashboard;
