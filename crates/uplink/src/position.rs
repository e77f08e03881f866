//! Where a device says it is.

use weir_domain::Position;

use crate::field::Field;
use crate::findings::Findings;

/// Reads the coordinates. One that is no number is an error; one that is on no map is dropped, since
/// a reading is not lost for the sake of an optional coordinate.
pub(crate) fn read(
    findings: &mut Findings,
    [latitude, longitude, altitude]: [&Field<'_, '_>; 3],
) -> Position {
    let mut within = |field, limit: f64| {
        let number: Option<f64> = findings.optional_number(field);
        number.filter(|number| number.abs() <= limit)
    };
    Position {
        latitude: within(latitude, 90.0),
        longitude: within(longitude, 180.0),
        altitude: within(altitude, f64::MAX),
    }
}
