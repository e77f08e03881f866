//! The formats that are understood.

/// Whose payload it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// ChirpStack v4.
    ChirpStack,
    /// The Things Stack v3.
    TheThingsStack,
}

impl Format {
    /// Every format, in the order in which they are tried.
    pub const ALL: [Self; 2] = [Self::ChirpStack, Self::TheThingsStack];

    /// Its name in responses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ChirpStack => "chirpstack",
            Self::TheThingsStack => "the_things_stack",
        }
    }

    /// The top-level keys that make a body one of this format, whatever they hold.
    pub const fn expected_keys(self) -> [&'static str; 2] {
        match self {
            Self::ChirpStack => ["deviceInfo", "object"],
            Self::TheThingsStack => ["end_device_ids", "uplink_message"],
        }
    }
}
