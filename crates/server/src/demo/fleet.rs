//! What the demonstration consists of.

use weir_domain::Eui;

/// A building: a principal meter, and one below it for each flat.
#[derive(Debug, Clone, Copy)]
pub struct Building {
    /// The customer it belongs to.
    pub customer: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// Who lives in it, one to a flat.
    pub tenants: &'static [&'static str],
    /// Where it stands.
    pub place: (f64, f64),
    /// The first EUI of its meters.
    pub first_eui: u64,
    /// What is odd about one of its flats (counted from 0), or about the building.
    pub oddity: Oddity,
    /// Who moved into which flat (counted from 0) half a year ago.
    pub newcomer: Option<(usize, &'static str)>,
}

/// What can be odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oddity {
    /// Nothing.
    None,
    /// A flat's meter has been silent for five days.
    Silent(usize),
    /// A flat's meter was replaced ninety days ago and began at zero.
    Replaced(usize),
    /// A flat leaks, day and night, since thirty days ago.
    Leaking(usize),
    /// The building loses water between the principal meter and the flats.
    Losing,
}

/// A meter.
#[derive(Debug, Clone)]
pub struct Meter {
    /// Its EUI.
    pub eui: Eui,
    /// Its name.
    pub name: String,
    /// Who lived behind it at first; a principal meter has nobody.
    pub tenant: Option<String>,
    /// Who moved in half a year ago.
    pub newcomer: Option<String>,
    /// Where it is.
    pub place: (f64, f64),
    /// The flats whose water flows through it: what seeds their habits, and what is odd about them.
    pub flats: Vec<(u64, Habit)>,
    /// What is odd about the meter itself.
    pub habit: Habit,
}

/// How a flat uses water, or a meter behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Habit {
    /// As most do.
    Plain,
    /// It leaks.
    Leaking,
    /// Its meter is silent.
    Silent,
    /// Its meter was replaced.
    Replaced,
    /// It loses a part of what flows through it.
    Losing,
}

/// Every building of the demonstration.
pub fn buildings() -> Vec<Building> {
    let building = |customer, name, tenants, place, number: u64, oddity| Building {
        customer,
        name,
        tenants,
        place,
        first_eui: 0x70b3_d57e_d0de_0000 + number * 0x100,
        oddity,
        newcomer: None,
    };
    let mut buildings = vec![
        building(
            "Riverside Community",
            "Mill House",
            &["Ana Duarte", "Bruno Reis", "Carla Lopes", "Dinis Matos", "Eva Pinto"],
            (38.7223, -9.1393),
            0,
            Oddity::Silent(3),
        ),
        building(
            "Riverside Community",
            "Quay House",
            &["Filipe Nunes", "Gabriela Cruz", "Hugo Faria", "Inês Moura"],
            (38.7219, -9.1401),
            1,
            Oddity::None,
        ),
        building(
            "Garden Court",
            "North Court",
            &["João Serra", "Katia Brito", "Luís Vaz", "Marta Gil", "Nuno Paz"],
            (41.1496, -8.6109),
            2,
            Oddity::Leaking(1),
        ),
        building(
            "Garden Court",
            "South Court",
            &["Olga Dias", "Pedro Sá", "Rita Leal", "Sara Melo"],
            (41.1491, -8.6104),
            3,
            Oddity::Replaced(2),
        ),
        building(
            "Hillside Estate",
            "The Lodge",
            &["Tiago Rosa", "Úrsula Paiva", "Vasco Lima", "Xavier Neto"],
            (37.0194, -7.9322),
            4,
            Oddity::Losing,
        ),
    ];
    buildings[1].newcomer = Some((2, "Zita Ramos"));
    buildings
}

impl Building {
    /// Its meters: the principal one, then one for each flat.
    pub fn meters(&self) -> Vec<Meter> {
        let flats: Vec<(u64, Habit)> = (0..self.tenants.len())
            .map(|flat| (self.first_eui + 1 + flat as u64, self.habit(flat)))
            .collect();
        let losing = self.oddity == Oddity::Losing;
        let principal = Meter {
            eui: Eui::from_bits(self.first_eui),
            name: format!("{}, principal", self.name),
            tenant: None,
            newcomer: None,
            place: self.place,
            flats: flats.clone(),
            habit: if losing { Habit::Losing } else { Habit::Plain },
        };
        let flat = |(number, (tenant, seed)): (usize, (&&str, (u64, Habit)))| Meter {
            eui: Eui::from_bits(seed.0),
            name: format!("{}, flat {}", self.name, number + 1),
            tenant: Some((*tenant).to_owned()),
            newcomer: self
                .newcomer
                .filter(|(flat, _)| *flat == number)
                .map(|(_, name)| name.into()),
            place: self.place,
            flats: vec![seed],
            habit: seed.1,
        };
        let below = self.tenants.iter().zip(flats).enumerate().map(flat);
        std::iter::once(principal).chain(below).collect()
    }

    fn habit(&self, flat: usize) -> Habit {
        match self.oddity {
            Oddity::Silent(odd) if odd == flat => Habit::Silent,
            Oddity::Replaced(odd) if odd == flat => Habit::Replaced,
            Oddity::Leaking(odd) if odd == flat => Habit::Leaking,
            _ => Habit::Plain,
        }
    }
}
