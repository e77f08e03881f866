//! The search for devices by a part of what they are called.

use weir_domain::{Eui, NewDevice};

use super::failure::Outcome;
use super::fixtures::{ANY_DEVICE, TRICKY, device, name};
use super::stage::Stage;
use super::tenant::Tenant;
use crate::DeviceFilter;

async fn find(tenant: &Tenant, part: &str) -> Outcome<Vec<u64>> {
    tenant.numbers(&DeviceFilter { search: Some(part.to_owned()), ..ANY_DEVICE }).await
}

/// A part of the EUI, the device name or the name finds a device, in any case.
pub async fn looks_at_eui_device_name_and_name(stage: Stage) -> Outcome {
    let spelled = Eui::parse("70B3D57ed02a3654").unwrap_or(Eui::from_bits(0));
    stage.acme.register(&NewDevice { dev_eui: spelled, ..device(1) }).await?;
    stage.acme.register(&NewDevice { name: name("Cellar, Main Street"), ..device(2) }).await?;
    stage.acme.register(&device(3)).await?;
    stage
        .acme
        .edit(3, |device| device.telemetry.device_name = Some(name("wm-0042-CELLAR")))
        .await?;
    for (part, expected) in [
        ("70B3D57ed02a3654", vec![1]),
        ("b3D57ED0", vec![1]),
        ("cellar", vec![3, 2]),
        ("CELLAR, main", vec![2]),
        ("Wm-0042", vec![3]),
        ("meter", vec![3, 1]),
        ("meter 3", vec![3]),
        ("cellarmeter", vec![]),
    ] {
        assert_eq!(find(&stage.acme, part).await?, expected, "{part}");
    }
    Ok(())
}

/// Case is ignored as Unicode has it, and whatever is in a name can be searched for.
pub async fn ignores_case_as_unicode_has_it(stage: Stage) -> Outcome {
    for (number, called) in [
        (1, "Zähler SÜD"),
        (2, "ВОДОМЕР Улица"),
        (3, "Ἀθῆναι ΝΕΡΟ"),
        (4, TRICKY),
        (5, "ŁÓDŹ"),
        (6, "ΟΔΥΣΣΕΥΣ"),
    ] {
        stage.acme.register(&NewDevice { name: name(called), ..device(number) }).await?;
    }
    for (part, expected) in [
        ("ZÄHLER süd", vec![1]),
        ("zähler", vec![4, 1]),
        ("водомер", vec![2]),
        ("УЛИЦА", vec![2]),
        ("νερο", vec![3]),
        ("łódź", vec![5]),
        ("ΟΔΥΣ", vec![6]),
        ("οδυσσευσ", vec![6]),
        ("σευς", vec![6]),
        ("水表", vec![4]),
        ("🚰", vec![4]),
        ("عداد", vec![4]),
        ("№ 4\" \\ %_", vec![4]),
        ("zahler", vec![]),
        ("lodz", vec![]),
    ] {
        assert_eq!(find(&stage.acme, part).await?, expected, "{part}");
    }
    Ok(())
}

/// `%`, `_`, quotes and backslashes are plain characters.
pub async fn takes_every_character_as_it_is(stage: Stage) -> Outcome {
    for (number, called) in
        [(1, "100% full"), (2, "a_b"), (3, "axb"), (4, r"a\b"), (5, "it's"), (6, "[a-z]*?")]
    {
        stage.acme.register(&NewDevice { name: name(called), ..device(number) }).await?;
    }
    for (part, expected) in [
        ("%", vec![1]),
        ("_", vec![2]),
        ("a_b", vec![2]),
        ("a%b", vec![]),
        (r"\", vec![4]),
        (r"\_", vec![]),
        ("'", vec![5]),
        ("[a-z]*?", vec![6]),
        ("*", vec![6]),
        ("?", vec![6]),
    ] {
        assert_eq!(find(&stage.acme, part).await?, expected, "{part}");
    }
    Ok(())
}
