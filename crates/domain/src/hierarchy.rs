//! The tree of principal and sub-meters.

use crate::Refusal;

/// The deepest level: levels run from 0 to 10.
pub const MAX_LEVEL: u8 = 10;

/// The level of a device under a parent of that level, or of a device without one.
pub fn level_under(parent_level: Option<u8>) -> Result<u8, Refusal> {
    match parent_level {
        None => Ok(0),
        Some(level) if level < MAX_LEVEL => Ok(level + 1),
        Some(_) => Err(Refusal::HierarchyTooDeep),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_end_at_ten() {
        assert_eq!(level_under(None), Ok(0));
        assert_eq!(level_under(Some(0)), Ok(1));
        assert_eq!(level_under(Some(9)), Ok(10));
        assert_eq!(level_under(Some(10)), Err(Refusal::HierarchyTooDeep));
    }
}
