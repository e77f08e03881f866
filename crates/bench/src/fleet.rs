//! What is made: the meters of one reseller, as they would be after two years.
//!
//! Everything about a meter follows from its number, so that what the service answers can be held
//! against it. The numbers that shares are taken by are chosen so that they mix: some of the silent
//! meters are principal ones, some of the principal ones belong to nobody, and so on.

use std::time::Duration;

use weir_domain::{Eui, Name, Timestamp};

/// How many meters a building has: a principal one, and one below it for each flat.
pub const METERS: u32 = 20;

/// How many end users live in a building: each has two of the meters that are assigned.
pub const END_USERS: u32 = 7;

/// For how many days silent meters have not been heard, at least.
const SILENT_DAYS: u64 = 5;

const MOST_CUSTOMERS: u32 = 100;
const MOST_YEARS: u32 = 50;
const HOURS_OF_A_YEAR: u32 = 365 * 24;
const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const TWO_YEARS: Duration = DAY.saturating_mul(2 * 365);
const FIRST_EUI: u64 = 0x70b3_d57e_d100_0000;

/// A fleet, at the moment at which it is made.
#[derive(Debug, Clone, Copy)]
pub struct Fleet {
    /// How many buildings it has.
    pub buildings: u32,
    /// How many readings most meters have, one an hour.
    pub readings: u32,
    /// Now: the newest readings are of the last full hour.
    pub now: Timestamp,
}

/// A meter, by its number: those that were registered earlier have the lower ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meter(pub u32);

/// Whose a meter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// An end user's.
    EndUser(u32),
    /// A customer's, without an end user.
    Customer(u32),
    /// Nobody's.
    Nobody,
}

impl Fleet {
    /// How many meters there are.
    pub const fn size(&self) -> u32 {
        self.buildings * METERS
    }

    /// The meters, in the order in which they were registered.
    pub fn meters(&self) -> impl Iterator<Item = Meter> + use<> {
        (0..self.size()).map(Meter)
    }

    /// How many customers there are.
    pub fn customers(&self) -> u32 {
        MOST_CUSTOMERS.min(self.buildings)
    }

    /// How many end users there are.
    pub const fn end_users(&self) -> u32 {
        self.buildings * END_USERS
    }

    /// The customer of a building.
    pub fn customer_of(&self, building: u32) -> u32 {
        building % self.customers()
    }

    /// Whose a meter is: of ten, seven an end user's, two a customer's, one nobody's.
    pub fn owner(&self, meter: Meter) -> Owner {
        let building = meter.building();
        let share = |place: u32| (place + building) % 10;
        let place = meter.0 % METERS;
        match share(place) {
            0..7 => {
                let before = (0..place).filter(|other| share(*other) < 7).count() as u32;
                Owner::EndUser(building * END_USERS + before / 2)
            }
            7 | 8 => Owner::Customer(self.customer_of(building)),
            _ => Owner::Nobody,
        }
    }

    /// The customer that a meter counts for.
    pub fn effective_customer(&self, meter: Meter) -> Option<u32> {
        (self.owner(meter) != Owner::Nobody).then(|| self.customer_of(meter.building()))
    }

    /// When a meter was registered, and heard for the first time: evenly over two years.
    pub fn registered_at(&self, meter: Meter) -> Timestamp {
        self.now.minus(TWO_YEARS / self.size() * (self.size() - meter.0))
    }

    /// When a meter was read, oldest first.
    pub fn read_at(&self, meter: Meter) -> impl Iterator<Item = Timestamp> + use<> {
        let hour = HOUR.as_micros() as i64;
        let full_hour = Timestamp::from_micros(self.now.micros() - self.now.micros() % hour);
        let silence = if meter.is_silent() { SILENT_DAYS + u64::from(meter.0 % 9) } else { 0 };
        let newest = full_hour.minus(DAY * silence as u32);
        (0..self.readings_of(meter)).rev().map(move |ago| newest.minus(HOUR * ago))
    }

    /// How many readings a meter has.
    pub fn readings_of(&self, meter: Meter) -> u32 {
        if self.has_year(meter) { HOURS_OF_A_YEAR } else { self.readings }
    }

    /// Whether a meter has a whole year of readings: in some buildings, spread over the fleet, that
    /// of the first flat does.
    pub fn has_year(&self, meter: Meter) -> bool {
        meter.0 % METERS == 1
            && meter.building().is_multiple_of(self.buildings.div_ceil(MOST_YEARS))
    }
}

impl Meter {
    /// The building it is in.
    pub const fn building(self) -> u32 {
        self.0 / METERS
    }

    /// Its EUI.
    pub fn eui(self) -> Eui {
        Eui::from_bits(FIRST_EUI + u64::from(self.0))
    }

    /// Its display name.
    pub fn name(self) -> Name {
        Name::stored(format!("Building {}, meter {}", self.building(), self.0 % METERS))
    }

    /// The principal meter of its building, unless it is that.
    pub const fn principal(self) -> Option<Self> {
        if self.is_principal() { None } else { Some(Self(self.building() * METERS)) }
    }

    /// Whether it is a principal meter: 5 % are.
    pub const fn is_principal(self) -> bool {
        self.0.is_multiple_of(METERS)
    }

    /// Whether it has not been heard for days: 4 % have not.
    pub const fn is_silent(self) -> bool {
        self.mixed() % 25 == 7
    }

    /// Whether it is in maintenance: 1 % are.
    pub const fn is_in_maintenance(self) -> bool {
        self.mixed() % 100 == 13
    }

    /// Whether it is billed: 98 % are.
    pub const fn is_active(self) -> bool {
        self.mixed() % 50 != 31
    }

    /// Its number, moved on by its building, so that no place in a building is left out; but for the
    /// first flat, whose meter is never silent nor in maintenance.
    const fn mixed(self) -> u32 {
        if self.0 % METERS == 1 { 0 } else { self.0 + self.building() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fleet(buildings: u32) -> Fleet {
        let now = Timestamp::parse("2026-11-15T08:30:00Z").unwrap();
        Fleet { buildings, readings: 200, now }
    }

    /// The share of meters of which something is true, in thousandths.
    fn share(fleet: &Fleet, is_true: impl Fn(Meter) -> bool) -> u32 {
        fleet.meters().filter(|meter| is_true(*meter)).count() as u32 * 1_000 / fleet.size()
    }

    #[test]
    fn the_shares_are_those_of_a_real_fleet() {
        let fleet = fleet(500);
        let has_end_user = |meter| matches!(fleet.owner(meter), Owner::EndUser(_));
        let has_customer = |meter| matches!(fleet.owner(meter), Owner::Customer(_));
        let is_new = |meter| fleet.registered_at(meter) > fleet.now.minus(DAY * 7);
        assert_eq!(share(&fleet, Meter::is_principal), 50);
        assert_eq!(share(&fleet, has_end_user), 700);
        assert_eq!(share(&fleet, has_customer), 200);
        assert_eq!(share(&fleet, |meter| fleet.effective_customer(meter).is_none()), 100);
        assert_eq!(share(&fleet, is_new), 9);
        assert!((35..=40).contains(&share(&fleet, Meter::is_silent)));
        assert!((9..=10).contains(&share(&fleet, Meter::is_in_maintenance)));
        assert!((980..=982).contains(&share(&fleet, Meter::is_active)));
        let both = |meter: Meter| meter.is_principal() && !has_end_user(meter);
        assert!(share(&fleet, both) > 10);
        assert!(share(&fleet, |meter: Meter| meter.is_silent() && meter.is_principal()) > 0);
    }

    #[test]
    fn an_end_user_has_two_meters_of_one_building() {
        let fleet = fleet(30);
        let mut meters = vec![Vec::new(); fleet.end_users() as usize];
        for meter in fleet.meters() {
            if let Owner::EndUser(number) = fleet.owner(meter) {
                meters[number as usize].push(meter.building());
            }
        }
        for (number, buildings) in meters.iter().enumerate() {
            assert_eq!(buildings, &[number as u32 / END_USERS; 2]);
        }
    }

    #[test]
    fn a_full_fleet_has_twenty_million_readings_and_fifty_years_of_them() {
        let fleet = fleet(5_000);
        assert_eq!((fleet.size(), fleet.customers()), (100_000, 100));
        let readings: u64 = fleet.meters().map(|it| u64::from(fleet.readings_of(it))).sum();
        assert!(readings > 20_000_000, "{readings}");
        let years: Vec<Meter> = fleet.meters().filter(|it| fleet.has_year(*it)).collect();
        assert_eq!(years.len(), 50);
        assert!(years.iter().all(|it| !it.is_silent() && !it.is_in_maintenance()));
    }

    #[test]
    fn readings_end_with_the_last_full_hour_or_days_before() {
        let fleet = fleet(50);
        for meter in fleet.meters() {
            let times: Vec<Timestamp> = fleet.read_at(meter).collect();
            assert!(times.windows(2).all(|pair| pair[0].plus(HOUR) == pair[1]));
            assert_eq!(times.len(), fleet.readings_of(meter) as usize);
            let newest = times[times.len() - 1];
            assert_eq!(newest < fleet.now.minus(DAY * 5), meter.is_silent());
            assert!(meter.is_silent() || newest == fleet.now.minus(HOUR / 2));
        }
    }
}
