//! Reads the text of a PDF back, as a search or a screen reader would.

use std::collections::HashMap;

use lopdf::{Document, Object, ObjectId};

/// From the glyphs of a font to characters.
type Alphabet = HashMap<u16, String>;

/// The text of each page; pieces that were drawn apart are separated by spaces.
pub(super) fn texts(pdf: &[u8]) -> Vec<String> {
    let document = Document::load_mem(pdf).unwrap();
    document.get_pages().values().map(|page| text(&document, *page)).collect()
}

fn text(document: &Document, page: ObjectId) -> String {
    let fonts = document.get_page_fonts(page).unwrap();
    let alphabets: HashMap<Vec<u8>, Alphabet> = fonts
        .into_iter()
        .map(|(name, font)| {
            let map = document.get_object(font.get(b"ToUnicode").unwrap().as_reference().unwrap());
            let map = map.unwrap().as_stream().unwrap();
            let map = map.decompressed_content().unwrap_or_else(|_| map.content.clone());
            (name, alphabet(&String::from_utf8_lossy(&map)))
        })
        .collect();
    let (mut text, mut font) = (String::new(), Vec::new());
    for operation in document.get_and_decode_page_content(page).unwrap().operations {
        match operation.operator.as_str() {
            "Tf" => font = operation.operands[0].as_name().unwrap().to_vec(),
            "Tj" | "TJ" => {
                operation
                    .operands
                    .iter()
                    .for_each(|drawn| read(drawn, &alphabets[&font], &mut text));
            }
            "ET" => text.push(' '),
            _ => {}
        }
    }
    text
}

fn read(drawn: &Object, alphabet: &Alphabet, text: &mut String) {
    match drawn {
        Object::Array(pieces) => pieces.iter().for_each(|piece| read(piece, alphabet, text)),
        Object::String(glyphs, _) => {
            let numbers = glyphs.chunks(2).map(|glyph| u16::from_be_bytes([glyph[0], glyph[1]]));
            text.extend(numbers.map(|glyph| alphabet.get(&glyph).map_or("", String::as_str)));
        }
        _ => {}
    }
}

/// Reads lines such as `<0001> <0041>`.
fn alphabet(map: &str) -> Alphabet {
    let hexadecimal = |text: &str| -> Option<Vec<u16>> {
        let digits = text.strip_prefix('<')?.strip_suffix('>')?;
        let units = digits.as_bytes().chunks(4).map(|unit| std::str::from_utf8(unit).ok());
        units.map(|unit| u16::from_str_radix(unit?, 16).ok()).collect()
    };
    let line = |line: &str| {
        let (glyph, characters) = line.split_once(' ')?;
        Some((hexadecimal(glyph)?[0], String::from_utf16_lossy(&hexadecimal(characters)?)))
    };
    let (_, mappings) = map.split_once("beginbfchar").unwrap();
    mappings.lines().filter_map(line).collect()
}
