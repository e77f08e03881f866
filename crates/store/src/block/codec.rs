//! Blocks as bytes. The first byte is the form.
//!
//! *Plain* (0): rows of 20 bytes, big-endian: the time (8), the volume (8), the battery (4, the
//! least number for none). Plain SQL can write it, which is what it is for; whatever is stored anew
//! is packed.
//!
//! *Packed* (1): a byte with the units of what follows, powers of ten, that of times in its upper half
//! and that of volumes in its lower one: meters count in litres and clocks often in seconds. Then the
//! first reading: its time (8 bytes, big-endian), its volume and its battery. Then for every other one
//! how much later it is, doubled, and one more where the battery is another; how much more was counted;
//! and the battery where it is another. Numbers take seven bits a byte, the lowest first, and those
//! that may be negative alternate: 0, -1, 1, -2. A battery is 0 for none, or one more than its
//! difference from the last known one. All of this stands behind the form back to front: what a block
//! takes last comes first and the rest ends as before, of which PostgreSQL's log then needs no copy.

mod cursor;

use std::iter::zip;

use weir_domain::{Battery, Reading, Timestamp, Volume};

use self::cursor::{Cursor, put, signed, unsigned};
use super::place;

const PLAIN: u8 = 0;
const PACKED: u8 = 1;

/// The battery of a plain row that has none. No battery has that voltage.
const NO_BATTERY: i32 = i32::MIN;

/// The units that numbers are counted in.
const UNITS: [u64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// Why bytes are no block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotABlock {
    /// There is no reading in them.
    #[error("it holds no reading")]
    Empty,
    /// A later version of the program may have written them.
    #[error("its form {0} is unknown")]
    Form(u8),
    /// They end too early.
    #[error("it ends in the middle of a reading")]
    CutOff,
    /// A number is none that was ever written.
    #[error("a number in it is out of range")]
    OutOfRange,
    /// A reading comes before one that is not less.
    #[error("its readings are not in order")]
    OutOfOrder,
    /// They are kept under another time than that of their first reading.
    #[error("its first reading is of another time")]
    Elsewhere,
}

/// Writes readings that are in order.
pub(super) fn encode(readings: &[Reading]) -> Vec<u8> {
    // Readings of one month are never too far apart to be packed.
    packed(readings).unwrap_or_else(|| plain(readings))
}

/// Reads what was written; at least one reading, in order, each once.
pub(super) fn decode(bytes: &[u8]) -> Result<Vec<Reading>, NotABlock> {
    let (form, rest) = bytes.split_first().ok_or(NotABlock::Empty)?;
    let readings = match *form {
        PLAIN => read_plain(rest),
        PACKED => read_packed(&rest.iter().rev().copied().collect::<Vec<_>>()),
        form => Err(NotABlock::Form(form)),
    }?;
    if readings.is_empty() {
        return Err(NotABlock::Empty);
    }
    match readings.is_sorted_by(|one, next| place(one) < place(next)) {
        true => Ok(readings),
        false => Err(NotABlock::OutOfOrder),
    }
}

fn plain(readings: &[Reading]) -> Vec<u8> {
    let mut bytes = vec![PLAIN];
    for reading in readings {
        bytes.extend(reading.time.micros().to_be_bytes());
        bytes.extend(reading.volume.millilitres().to_be_bytes());
        bytes.extend(reading.battery.map_or(NO_BATTERY, Battery::microvolts).to_be_bytes());
    }
    bytes
}

fn read_plain(bytes: &[u8]) -> Result<Vec<Reading>, NotABlock> {
    let mut cursor = Cursor(bytes);
    let mut readings = Vec::new();
    while !cursor.is_at_end() {
        let time = Timestamp::from_micros(i64::from_be_bytes(cursor.take()?));
        let volume = Volume::from_millilitres(i64::from_be_bytes(cursor.take()?));
        let microvolts = i32::from_be_bytes(cursor.take()?);
        let battery = (microvolts != NO_BATTERY).then(|| Battery::from_microvolts(microvolts));
        readings.push(Reading { time, volume, battery });
    }
    Ok(readings)
}

fn packed(readings: &[Reading]) -> Option<Vec<u8>> {
    let (first, rest) = readings.split_first()?;
    let steps = || zip(readings, rest);
    let (time_unit, volume_unit) = (
        common_unit(steps().map(|(one, next)| later(one, next))),
        common_unit(steps().map(|(one, next)| more(one, next).unsigned_abs())),
    );
    let mut bytes = Vec::with_capacity(16 + 12 * readings.len());
    bytes.extend([PACKED, (time_unit << 4 | volume_unit) as u8]);
    bytes.extend(first.time.micros().to_be_bytes());
    put(&mut bytes, unsigned(first.volume.millilitres()));
    let mut known = 0;
    put(&mut bytes, battery_code(first.battery, &mut known));
    for (one, next) in steps() {
        let is_other = one.battery != next.battery;
        let later = (later(one, next) / UNITS[time_unit]).checked_mul(2)?;
        put(&mut bytes, later | u64::from(is_other));
        put(&mut bytes, unsigned(more(one, next) / UNITS[volume_unit].cast_signed()));
        if is_other {
            put(&mut bytes, battery_code(next.battery, &mut known));
        }
    }
    bytes[1..].reverse();
    Some(bytes)
}

fn read_packed(bytes: &[u8]) -> Result<Vec<Reading>, NotABlock> {
    let mut cursor = Cursor(bytes);
    let [units] = cursor.take()?;
    let unit = |index: u8| UNITS.get(usize::from(index)).copied().ok_or(NotABlock::OutOfRange);
    let (time_unit, volume_unit) = (unit(units >> 4)?, unit(units & 0xf)?);
    let mut time = i64::from_be_bytes(cursor.take()?);
    let mut volume = signed(cursor.number()?);
    let mut known = 0;
    let mut battery = battery_of(cursor.number()?, &mut known)?;
    let mut readings = Vec::with_capacity(super::MOST + 1);
    loop {
        readings.push(Reading {
            time: Timestamp::from_micros(time),
            volume: Volume::from_millilitres(volume),
            battery,
        });
        if cursor.is_at_end() {
            return Ok(readings);
        }
        let step = cursor.number()?;
        let later = (step >> 1).checked_mul(time_unit);
        time = later.and_then(|by| time.checked_add_unsigned(by)).ok_or(NotABlock::OutOfRange)?;
        let more = signed(cursor.number()?).wrapping_mul(volume_unit.cast_signed());
        volume = volume.wrapping_add(more);
        if step & 1 == 1 {
            battery = battery_of(cursor.number()?, &mut known)?;
        }
    }
}

/// How much later the second reading is.
fn later(one: &Reading, next: &Reading) -> u64 {
    next.time.micros().abs_diff(one.time.micros())
}

/// How much more the second reading counts.
fn more(one: &Reading, next: &Reading) -> i64 {
    next.volume.millilitres().wrapping_sub(one.volume.millilitres())
}

/// Which unit is the largest that all numbers are multiples of.
fn common_unit(mut numbers: impl Iterator<Item = u64>) -> usize {
    let mut unit = UNITS.len() - 1;
    while unit > 0 {
        let Some(number) = numbers.next() else { break };
        while !number.is_multiple_of(UNITS[unit]) {
            unit -= 1;
        }
    }
    unit
}

fn battery_code(battery: Option<Battery>, known: &mut i64) -> u64 {
    let Some(battery) = battery else { return 0 };
    let microvolts = i64::from(battery.microvolts());
    1 + unsigned(microvolts - std::mem::replace(known, microvolts))
}

fn battery_of(code: u64, known: &mut i64) -> Result<Option<Battery>, NotABlock> {
    let Some(difference) = code.checked_sub(1) else { return Ok(None) };
    let microvolts = known.checked_add(signed(difference)).ok_or(NotABlock::OutOfRange)?;
    *known = microvolts;
    let microvolts = i32::try_from(microvolts).map_err(|_| NotABlock::OutOfRange)?;
    Ok(Some(Battery::from_microvolts(microvolts)))
}

#[cfg(test)]
mod tests;
