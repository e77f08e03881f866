//! The newest volumes of many devices.

use weir_domain::DeviceKey;

use super::failure::Outcome;
use super::fixtures::{device, reading, volumes};
use super::stage::Stage;

/// Each device has its own newest volumes, oldest first, in the order in which devices were asked
/// for, whether it has more readings than that, fewer or none.
pub async fn are_each_devices_own(stage: Stage) -> Outcome {
    let many = stage.acme.register(&device(1)).await?;
    let few = stage.acme.register(&device(2)).await?;
    let none = stage.acme.register(&device(3)).await?;
    let falling: Vec<_> = (0..30).map(|n| reading(n, 1_000 - n)).collect();
    stage.acme.append(many, &falling).await?;
    stage.acme.append(few, &[reading(100, 7), reading(50, 3)]).await?;
    let newest = stage.acme.newest(&[none, few, DeviceKey(-1), many, few], 3).await?;
    let expected =
        [volumes([]), volumes([3, 7]), volumes([]), volumes([973, 972, 971]), volumes([3, 7])];
    assert_eq!(newest, expected);
    Ok(())
}

/// Readings of the same time count by volume.
pub async fn of_the_same_time_are_by_volume(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    stage.acme.append(key, &[reading(2, 1), reading(1, 9), reading(1, 5), reading(1, 7)]).await?;
    assert_eq!(stage.acme.newest(&[key], 3).await?, [volumes([7, 9, 1])]);
    assert_eq!(stage.acme.newest(&[key], 1).await?, [volumes([1])]);
    assert_eq!(stage.acme.newest(&[key], 0).await?, [volumes([])]);
    assert_eq!(stage.acme.newest(&[key], u32::MAX).await?, [volumes([5, 7, 9, 1])]);
    Ok(())
}

/// Asking for no device or for very many is no trouble.
pub async fn of_no_device_or_very_many(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    stage.acme.append(key, &[reading(1, 5)]).await?;
    assert!(stage.acme.newest(&[], 24).await?.is_empty());
    let mut devices: Vec<_> = (0..5_000).map(|n| DeviceKey(i64::MAX - n)).collect();
    devices.push(key);
    let newest = stage.acme.newest(&devices, 24).await?;
    assert_eq!(newest.len(), devices.len());
    assert_eq!(newest.last(), Some(&volumes([5])));
    assert!(newest.iter().rev().skip(1).all(Vec::is_empty));
    Ok(())
}
