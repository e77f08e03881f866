//! RSA keys that are too short to be trusted, and signing with them, which no library does any more.

use aws_lc_rs::digest::{SHA256, digest};

/// What stands in front of a SHA-256 hash in a signature (PKCS #1 v1.5).
const HASH_PREFIX: [u8; 19] = [
    0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05,
    0x00, 0x04, 0x20,
];

/// A short RSA key; its public exponent is 65537.
#[derive(Debug, Clone, Copy)]
pub(super) struct WeakKey {
    modulus: &'static str,
    exponent: &'static str,
}

/// Of 512 bits: broken by anybody in an afternoon.
pub(super) const BITS_512: WeakKey = WeakKey {
    modulus: "d0132ee29c62be4efeec29f05f6ad3b091c645252f12f11213ab24f5f790b69f8d7b974650c0e5ee518563b48560767f82ec3999b0c42a9aa9ec1c41daed5115",
    exponent: "28232b2e27809cb95c4f6e1fa22857417e3d42e55359520b6ca3dcf35d981ac1ff546511bf805ba5c0296f93f594d0b0a1113a69f1485775894d177d13a3c781",
};

/// Of 1024 bits: not to be relied on for years.
pub(super) const BITS_1024: WeakKey = WeakKey {
    modulus: "b3755156dda6cb0bfd5f2ab1fc62bde2dd8095d4fb7a6c4bcd57598a017cc607f261d32643e146eb00e09fc49fc5bf5b4aea4895c67d9ddf606d0016ab4604f7e87dedd40e8a523e2c581000c891f7916032179546c93d1b344899b318606e64ec72ce6f850957243966c500c10f1dc715f0fd94064015760ed7a1f0d2dda67b",
    exponent: "348257527b789a60dfba40dbe36560fa48a59f31ba838fbc7e50d8ba30c5398c89b765f904539e5494e524da7b857900556347e9cb3266473e07a6c6fb46799d321690232438bb170519a0108eb4f965adbcd3bee385a87c0902462773980765b1a6a4cb168cbaee93b7bfbdf9c7641048242e63b5e8093a79fe85631c772ac1",
};

impl WeakKey {
    /// The bytes of its modulus.
    pub(super) fn modulus(&self) -> Vec<u8> {
        from_hex(self.modulus)
    }

    /// Signs as RS256 does.
    pub(super) fn sign(&self, message: &[u8]) -> Vec<u8> {
        let hash = digest(&SHA256, message);
        let padding = self.modulus.len() / 2 - 3 - HASH_PREFIX.len() - hash.as_ref().len();
        let padding = vec![0xff; padding];
        let block = [&[0, 1], padding.as_slice(), &[0], &HASH_PREFIX, hash.as_ref()].concat();
        power(&block, &from_hex(self.exponent), &self.modulus())
    }
}

fn from_hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> =
        text.bytes().map(|b| if b > b'9' { b - b'a' + 10 } else { b - b'0' }).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

/// `base` to the power of `exponent` modulo `modulus`, of numbers of the same length, by Montgomery's way.
fn power(base: &[u8], exponent: &[u8], modulus: &[u8]) -> Vec<u8> {
    let modulus = Modulus::new(limbs(modulus));
    let one = modulus.shifted(1);
    let base = modulus.shift(&limbs(base));
    let mut result = one;
    for byte in exponent {
        for bit in (0..8).rev() {
            result = modulus.multiply(&result, &result);
            if byte >> bit & 1 == 1 {
                result = modulus.multiply(&result, &base);
            }
        }
    }
    let unit = {
        let mut unit = vec![0; result.len()];
        unit[0] = 1;
        unit
    };
    let result = modulus.multiply(&result, &unit);
    result.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect()
}

/// The least significant first.
fn limbs(bytes: &[u8]) -> Vec<u64> {
    bytes
        .rchunks(8)
        .map(|chunk| chunk.iter().fold(0, |limb, byte| limb << 8 | u64::from(*byte)))
        .collect()
}

struct Modulus {
    limbs: Vec<u64>,
    /// What takes the lowest limb of a product to zero.
    negated_inverse: u64,
}

impl Modulus {
    fn new(limbs: Vec<u64>) -> Self {
        // Newton's iteration doubles the right bits each time.
        let inverse = (0..6).fold(1_u64, |inverse, _| {
            inverse.wrapping_mul(2_u64.wrapping_sub(limbs[0].wrapping_mul(inverse)))
        });
        Self { limbs, negated_inverse: inverse.wrapping_neg() }
    }

    /// A number times 2 to the power of the modulus's bits, the form that products are made in.
    fn shift(&self, number: &[u64]) -> Vec<u64> {
        (0..self.limbs.len() * 64).fold(number.to_vec(), |number, _| self.double(&number))
    }

    fn shifted(&self, number: u64) -> Vec<u64> {
        let mut limbs = vec![0; self.limbs.len()];
        limbs[0] = number;
        self.shift(&limbs)
    }

    fn double(&self, number: &[u64]) -> Vec<u64> {
        let mut carry = 0;
        let mut doubled: Vec<u64> = Vec::with_capacity(number.len() + 1);
        for limb in number {
            doubled.push(limb << 1 | carry);
            carry = limb >> 63;
        }
        doubled.push(carry);
        self.reduced(doubled)
    }

    fn multiply(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let count = self.limbs.len();
        let mut sum = vec![0_u64; count + 2];
        for limb in a {
            add_product(&mut sum, b, *limb);
            let factor = sum[0].wrapping_mul(self.negated_inverse);
            add_product(&mut sum, &self.limbs, factor);
            sum.remove(0);
            sum.push(0);
        }
        sum.truncate(count + 1);
        self.reduced(sum)
    }

    /// A number of one limb more, less the modulus where it is not below it.
    fn reduced(&self, number: Vec<u64>) -> Vec<u64> {
        let mut less = Vec::with_capacity(number.len());
        let mut borrow = false;
        for (index, limb) in number.iter().enumerate() {
            let (value, first) =
                limb.overflowing_sub(self.limbs.get(index).copied().unwrap_or_default());
            let (value, second) = value.overflowing_sub(u64::from(borrow));
            less.push(value);
            borrow = first || second;
        }
        let mut result = if borrow { number } else { less };
        result.truncate(self.limbs.len());
        result
    }
}

fn add_product(sum: &mut [u64], number: &[u64], factor: u64) {
    let mut carry = 0_u128;
    for (index, place) in sum.iter_mut().enumerate() {
        let limb = number.get(index).copied().unwrap_or_default();
        let value = u128::from(*place) + u128::from(limb) * u128::from(factor) + carry;
        *place = value as u64;
        carry = value >> 64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_weak_keys_sign_is_signed() {
        for key in [BITS_512, BITS_1024] {
            let signature = key.sign(b"message");
            let mut exponent = vec![0; signature.len()];
            let end = exponent.len();
            exponent[end - 3..].copy_from_slice(&[1, 0, 1]);
            let block = power(&signature, &exponent, &key.modulus());
            assert_eq!(block[..2], [0, 1]);
            assert!(block.ends_with(digest(&SHA256, b"message").as_ref()));
        }
    }
}
