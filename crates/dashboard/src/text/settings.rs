//! Of the settings.

/// The page.
pub const TITLE: &str = "Settings";
/// Copies a text.
pub const COPY: &str = "Copy";
/// It was copied.
pub const COPIED: &str = "Copied";

/// How uplinks get here.
pub mod webhook {
    /// The part.
    pub const TITLE: &str = "Webhook";
    /// What it is.
    pub const ABOUT: &str = "Network servers post uplinks to this address, with one of your API keys in a \
                             header.";
    /// Where to.
    pub const URL: &str = "URL";
    /// The header.
    pub const HEADER: &str = "Header";
    /// Its value, where no key is shown.
    pub const VALUE: &str = "Value";
    /// In the place of a key.
    pub const YOUR_KEY: &str = "your API key";
    /// How to show a key.
    pub const KEY_HINT: &str = "Reveal one of your API keys, and it stands here, ready to paste.";
    /// One network server.
    pub const CHIRPSTACK: &str = "ChirpStack 4";
    /// What to do there, step by step.
    pub const CHIRPSTACK_STEPS: [&str; 5] = [
        "Open your application, then Integrations, and add HTTP.",
        "Payload encoding: JSON.",
        "Event endpoint URL(s): the URL above.",
        "Headers: add one, with the name and the value above. Submit.",
        "The name of the tenant in ChirpStack has to be one of your tenant names below.",
    ];
    /// Another one.
    pub const THINGS_STACK: &str = "The Things Stack 3";
    /// What to do there, step by step.
    pub const THINGS_STACK_STEPS: [&str; 5] = [
        "Open your application, then Webhooks, and add a custom webhook. Webhook ID: weir.",
        "Webhook format: JSON. Base URL: the URL above.",
        "Additional headers: add an entry with the name and the value above.",
        "Enabled event types: Uplink message, with an empty path. Add the webhook.",
        "The id of the application has to be one of your tenant names below.",
    ];
    /// The same in one line.
    pub const COMMAND: &str = "Or by its command line, with the id of your application:";
}

/// Keys.
pub mod keys {
    /// The part.
    pub const TITLE: &str = "API keys";
    /// What they are.
    pub const ABOUT: &str = "Whoever has one of these keys can do everything in the API for your \
                             organisation. Give each program its own. When one was used shows after a \
                             minute or two.";
    /// Where no use of one is known.
    pub const NEVER_USED: &str = "never used";
    /// What there is where there is none.
    pub const NONE: &str = "There is no key, so no uplink gets in. Create one.";
    /// What can be done.
    pub const ACTIONS: &str = "Actions";
    /// Shows it.
    pub const REVEAL: &str = "Reveal";
    /// Where it cannot be shown.
    pub const UNREADABLE: &str = "This key was made with another secret of the server. It opens nothing; \
                                  rotate it.";
    /// Replaces it.
    pub const ROTATE: &str = "Rotate";
    /// What that means.
    pub const ROTATE_HINT: &str = "A new key takes its place. The old one stops working within a second: \
                                   paste the new one into your network server.";
    /// Does it.
    pub const ROTATE_NOW: &str = "Rotate the key";
    /// Takes it away.
    pub const REVOKE: &str = "Revoke";
    /// What that means.
    pub const REVOKE_HINT: &str = "The key stops working within a second, for good.";
    /// Does it.
    pub const REVOKE_NOW: &str = "Revoke the key";
    /// The field for a new one.
    pub const NEW: &str = "Name of a new key";
    /// Makes it.
    pub const CREATE: &str = "Create the key";

    /// When it was used.
    pub fn used(at: &str) -> String {
        format!("last used {at}")
    }

    /// It is shown.
    pub fn revealed(name: &str) -> String {
        format!("The key {name}:")
    }

    /// It was made.
    pub fn created(name: &str) -> String {
        format!("The key {name} is created. Reveal it to copy it.")
    }

    /// It was replaced.
    pub fn rotated(name: &str) -> String {
        format!("The key {name} is rotated. Reveal it to copy it.")
    }

    /// It was taken away.
    pub fn revoked(name: &str) -> String {
        format!("The key {name} is revoked.")
    }
}

/// Who may sign in.
pub mod members {
    /// The part.
    pub const TITLE: &str = "Members";
    /// What they are.
    pub const ABOUT: &str = "Members sign in here. An admin may do everything, a viewer may look.";
    /// Who.
    pub const MEMBER: &str = "Member";
    /// What they may do.
    pub const ROLE: &str = "Role";
    /// Since when.
    pub const SINCE: &str = "Since";
    /// What can be done.
    pub const ACTIONS: &str = "Actions";
    /// Removes one.
    pub const REMOVE: &str = "Remove";
    /// What that means.
    pub const REMOVE_HINT: &str = "They can sign in for your organisation no more.";
    /// Does it.
    pub const REMOVE_NOW: &str = "Remove the member";
    /// Who cannot be removed.
    pub const LAST_ADMIN: &str = "The last admin stays.";
    /// The field for a new one.
    pub const NEW: &str = "E-mail address of a new member";
    /// Adds them.
    pub const ADD: &str = "Add the member";
    /// Oneself.
    pub const YOU: &str = "you";

    /// They were added.
    pub fn added(who: &str) -> String {
        format!("{who} is a member now.")
    }

    /// They were removed.
    pub fn removed(who: &str) -> String {
        format!("{who} is no member any more.")
    }
}

/// What payloads call the reseller.
pub mod names {
    /// The part.
    pub const TITLE: &str = "Tenant names";
    /// What they are.
    pub const ABOUT: &str = "An uplink counts as yours if its tenant name, or its application id in The \
                             Things Stack, is one of these. Case does not matter.";
    /// What cannot be removed.
    pub const OWN: &str = "made from your name";
    /// Removes one.
    pub const REMOVE: &str = "Remove";
    /// The field for a new one.
    pub const NEW: &str = "Another tenant name";
    /// Adds it.
    pub const ADD: &str = "Add the name";

    /// It was added.
    pub fn added(name: &str) -> String {
        format!("Uplinks of {name} count as yours now.")
    }

    /// It was removed.
    pub fn removed(name: &str) -> String {
        format!("Uplinks of {name} count as yours no more.")
    }
}

/// Whose days are the days.
pub mod zone {
    /// The part.
    pub const TITLE: &str = "Time zone";
    /// What it does.
    pub const ABOUT: &str = "Days begin and end by this time zone, unless a customer has its own.";
    /// The field.
    pub const FIELD: &str = "IANA name, such as Europe/Lisbon";
    /// Keeps it.
    pub const SAVE: &str = "Save the time zone";

    /// It was kept.
    pub fn saved(name: &str) -> String {
        format!("The time zone is {name} now.")
    }
}

/// What it costs.
pub mod plan {
    /// The part.
    pub const TITLE: &str = "Plan and quota";
    /// Which.
    pub const TIER: &str = "Plan";
    /// How many devices count.
    pub const ACTIVE: &str = "Active devices";
    /// How many are included.
    pub const INCLUDED: &str = "Included devices";
    /// What a month costs.
    pub const COST: &str = "Cost of a month";
    /// What is used.
    pub const QUOTA: &str = "Uplinks this month";
    /// When it starts anew.
    pub const RESETS: &str = "Starts anew (UTC)";
    /// Whose business it is.
    pub const HINT: &str = "The operator of this service changes plan and quota.";
    /// Where the plan is not known.
    pub const UNKNOWN: &str =
        "The plan is not configured any more; ask the operator of this service.";

    /// How much of how much.
    pub fn used(used: &str, limit: &str) -> String {
        format!("{used} of {limit}")
    }
}
