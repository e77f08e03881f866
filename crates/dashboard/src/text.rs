//! Every text of the pages, in one place for translation. What rules say comes from the rules.

pub mod bulk;
pub mod chart;
pub mod customers;
pub mod device;
pub mod end_users;
pub mod fleet;
pub mod hierarchy;
pub mod import;
pub mod lists;
pub mod overview;
pub mod register;
pub mod settings;
pub mod sign_in;
pub mod unregistered;

/// Around every page.
pub mod frame {
    /// The product.
    pub const PRODUCT: &str = "Weir";
    /// For those who use the keyboard.
    pub const SKIP: &str = "Skip to the content";
    /// What the list of pages is.
    pub const PAGES: &str = "Pages";
    /// The first page.
    pub const OVERVIEW: &str = "Overview";
    /// The way out.
    pub const SIGN_OUT: &str = "Sign out";
    /// The way to another reseller.
    pub const SWITCH: &str = "Switch";
    /// Who may only look.
    pub const VIEWER: &str = "View only";
    /// The way to the first page.
    pub const HOME: &str = "To the overview";
}

/// In the place of a page.
pub mod problem {
    /// 404.
    pub const NOT_FOUND: &str = "There is nothing here";
    /// 404, in a sentence.
    pub const NOT_FOUND_MESSAGE: &str = "It may have been deleted, or the address is misspelt.";
    /// 403.
    pub const NOT_ALLOWED: &str = "That is not allowed";
    /// 403, for those who may only look.
    pub const VIEWER_MESSAGE: &str = "You may look at everything here, but not change it. \
                                      Ask an administrator of your organisation.";
    /// 403, for forms from elsewhere.
    pub const FORM_MESSAGE: &str = "The form was not sent from a page of this session, so nothing was \
                                    changed. Open the page again and retry.";
    /// 400.
    pub const REFUSED: &str = "That does not work";
    /// 400, for forms that cannot be read.
    pub const UNREADABLE_FORM: &str = "The form cannot be read.";
    /// 413, in a sentence.
    pub const TOO_LARGE_MESSAGE: &str = "What was sent is larger than 2 MiB.";
    /// What finds it in the log.
    pub const REQUEST: &str = "Request";
    /// 503.
    pub const UNAVAILABLE: &str = "One moment, please";
    /// 503, in a sentence.
    pub const UNAVAILABLE_MESSAGE: &str =
        "The service cannot do this right now. Nothing was changed; please try again.";
    /// 500.
    pub const INTERNAL: &str = "Something went wrong";
    /// 500, in a sentence.
    pub const INTERNAL_MESSAGE: &str = "This is our fault, and was noted.";
}
