//! Finding the device that a caller names.

use uuid::Uuid;
use weir_domain::{Device, DeviceId, Eui, Refusal};
use weir_store::ReadTx;

use crate::AppResult;

/// How a caller names a device. The two shapes cannot be confused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceRef {
    /// By its id.
    Id(DeviceId),
    /// By its EUI, in any spelling.
    Eui(Eui),
}

impl DeviceRef {
    /// Reads either form: a hyphenated UUID or sixteen hexadecimal characters.
    pub fn parse(text: &str) -> Option<Self> {
        match text.len() {
            36 => Uuid::try_parse(text).ok().map(|id| Self::Id(DeviceId::from_uuid(id))),
            _ => Eui::parse(text).ok().map(Self::Eui),
        }
    }
}

/// The live device of that name.
pub fn find(tx: &mut dyn ReadTx, device: DeviceRef) -> AppResult<Device> {
    let found = match device {
        DeviceRef::Id(id) => tx.device_by_id(id)?.filter(Device::is_live),
        DeviceRef::Eui(eui) => tx.device_live_by_eui(eui)?,
    };
    Ok(found.ok_or(Refusal::DeviceNotFound)?)
}

/// The device of that name, soft-deleted or not; where no live one goes by an EUI, the one deleted
/// last.
pub fn find_even_deleted(tx: &mut dyn ReadTx, device: DeviceRef) -> AppResult<Device> {
    let found = match device {
        DeviceRef::Id(id) => tx.device_by_id(id)?,
        DeviceRef::Eui(eui) => match tx.device_live_by_eui(eui)? {
            Some(live) => Some(live),
            None => tx.device_last_deleted_by_eui(eui)?,
        },
    };
    Ok(found.ok_or(Refusal::DeviceNotFound)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read_and_nothing_else() {
        let id = Uuid::from_u128(7);
        assert_eq!(DeviceRef::parse(&id.to_string()), Some(DeviceRef::Id(DeviceId::from_uuid(id))));
        assert_eq!(
            DeviceRef::parse("70B3D57ED02A3654"),
            Some(DeviceRef::Eui(Eui::from_bits(0x70b3_d57e_d02a_3654)))
        );
        for text in
            ["", "register", &id.simple().to_string(), "70b3d57ed02a365", &format!("{{{id}}}")]
        {
            assert_eq!(DeviceRef::parse(text), None, "{text}");
        }
    }
}
