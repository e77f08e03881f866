//! Signatures that are not.

use serde_json::{Value, json};

use super::Table;
use crate::testing::setting::altered;
use crate::testing::{Setting, Signer, encode};

/// The order of P-256.
const ORDER: [u8; 32] = [
    0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
];

pub(super) fn list(table: &mut Table<'_>) {
    table.group = "signature";
    let setting = table.setting;
    let claims = table.claims();
    for signer in [&setting.rsa, &setting.p256, &setting.ed25519] {
        forged(table, signer, &claims);
    }
    let shared = setting.claims(Setting::SHARED);
    forged(table, &setting.shared, &shared);
    curve(table);
}

fn forged(table: &mut Table<'_>, signer: &Signer, claims: &Value) {
    let token = signer.token(claims);
    let Some((message, signature)) = token.rsplit_once('.') else { return };
    let good = signer.sign(message.as_bytes());
    let length = good.len();
    let flipped = |place: usize, bit: u8| {
        let mut bytes = good.clone();
        bytes[place] ^= bit;
        bytes
    };
    let forms: [(&str, Vec<u8>); 14] = [
        ("empty", Vec::new()),
        ("of one byte", good[..1].to_vec()),
        ("of two bytes", good[..2].to_vec()),
        ("of three bytes", good[..3].to_vec()),
        ("cut in half", good[..length / 2].to_vec()),
        ("cut by two bytes", good[..length - 2].to_vec()),
        ("cut by one byte", good[..length - 1].to_vec()),
        ("without its first byte", good[1..].to_vec()),
        ("with a byte more", [good.as_slice(), &[0]].concat()),
        ("with a byte in front", [&[0], good.as_slice()].concat()),
        ("twice", good.repeat(2)),
        ("of zeros", vec![0; length]),
        ("of ones", vec![0xff; length]),
        ("backwards", good.iter().rev().copied().collect()),
    ];
    let flips = [
        ("first", flipped(0, 0x80)),
        ("middle", flipped(length / 2, 1)),
        ("last", flipped(length - 1, 1)),
    ];
    let algorithm = signer.algorithm();
    for (name, bytes) in forms {
        table.add(&format!("{algorithm} {name}"), format!("{message}.{}", encode(bytes)));
    }
    for (name, bytes) in flips {
        let name = format!("{algorithm} with its {name} byte changed");
        table.add(&name, format!("{message}.{}", encode(bytes)));
    }
    let of_another = encode(signer.sign(b"another message"));
    table.add(&format!("{algorithm} of another message"), format!("{message}.{of_another}"));
    let header = message.split('.').next().unwrap_or_default();
    let claims = altered(claims.clone(), "sub", json!("user-2"));
    let changed = format!("{header}.{}.{signature}", encode(claims.to_string()));
    table.add(&format!("{algorithm} of what was changed later"), changed);
    let text = altered(signer.header(), "typ", json!("at+jwt")).to_string();
    let changed = token.replacen(header, &encode(text), 1);
    table.add(&format!("{algorithm} with another header"), changed);
}

/// Numbers that a careless check of a curve's signature takes for anybody's.
fn curve(table: &mut Table<'_>) {
    let token = table.setting.p256.token(&table.claims());
    let Some((message, _)) = token.rsplit_once('.') else { return };
    let good = table.setting.p256.sign(message.as_bytes());
    let (r, s) = good.split_at(32);
    let (zero, one) = ([0; 32], {
        let mut one = [0; 32];
        one[31] = 1;
        one
    });
    let pairs: [(&str, &[u8], &[u8]); 9] = [
        ("r = s = 0", &zero, &zero),
        ("r = 0", &zero, s),
        ("s = 0", r, &zero),
        ("r = s = 1", &one, &one),
        ("r = n", &ORDER, s),
        ("s = n", r, &ORDER),
        ("r = s = n", &ORDER, &ORDER),
        ("r = n, s = 0", &ORDER, &zero),
        ("r and s swapped", s, r),
    ];
    for (name, r, s) in pairs {
        table.add(&format!("ES256 {name}"), format!("{message}.{}", encode([r, s].concat())));
    }
    let der = |number: &[u8]| {
        let number = [&[0], number].concat();
        [&[2, number.len() as u8], number.as_slice()].concat()
    };
    let numbers = [der(r), der(s)].concat();
    let sequence = [&[0x30, numbers.len() as u8], numbers.as_slice()].concat();
    table.add("ES256 in DER", format!("{message}.{}", encode(sequence)));
}
