//! Putting text and lines on a page.

use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::text::{Font, TextDirection};

use crate::format::RenderError;

/// What is drawn with.
#[derive(Debug, Clone, Copy)]
pub(super) enum Colour {
    /// Text.
    Ink,
    /// What is less important.
    Muted,
    /// Water, and what the reader came for.
    Water,
    /// Lines and grounds.
    Pale,
}

impl Colour {
    fn rgb(self) -> rgb::Color {
        match self {
            Self::Ink => rgb::Color::new(27, 42, 51),
            Self::Muted => rgb::Color::new(93, 109, 120),
            Self::Water => rgb::Color::new(11, 111, 164),
            Self::Pale => rgb::Color::new(222, 231, 237),
        }
    }
}

/// Where a text stands from its point.
#[derive(Debug, Clone, Copy)]
pub(super) enum Align {
    /// It begins there.
    Left,
    /// It ends there.
    Right,
    /// It has its middle there.
    Middle,
}

/// A typeface to draw with and to measure by.
struct Typeface {
    font: Font,
    face: rustybuzz::Face<'static>,
}

impl Typeface {
    fn load(data: &'static [u8]) -> Result<Self, RenderError> {
        let font = Font::new(data.into(), 0);
        let pair = font.zip(rustybuzz::Face::from_slice(data, 0));
        let (font, face) = pair.ok_or_else(|| RenderError::Pdf("the font is broken".to_owned()))?;
        Ok(Self { font, face })
    }

    fn width(&self, text: &str, size: f32) -> f32 {
        let mut buffer = rustybuzz::UnicodeBuffer::new();
        buffer.push_str(text);
        let shaped = rustybuzz::shape(&self.face, &[], buffer);
        let advance: i32 = shaped.glyph_positions().iter().map(|glyph| glyph.x_advance).sum();
        advance as f32 * size / self.face.units_per_em() as f32
    }
}

/// The typefaces of a report.
pub(super) struct Typefaces {
    regular: Typeface,
    bold: Typeface,
}

impl Typefaces {
    /// Reads them from the program itself.
    pub(super) fn load() -> Result<Self, RenderError> {
        Ok(Self {
            regular: Typeface::load(dejavu::sans::regular())?,
            bold: Typeface::load(dejavu::sans::bold())?,
        })
    }

    fn pick(&self, is_bold: bool) -> &Typeface {
        if is_bold { &self.bold } else { &self.regular }
    }
}

/// Draws on one page. Points are from the top left; a text stands on its point.
pub(super) struct Pen<'a> {
    surface: Surface<'a>,
    typefaces: &'a Typefaces,
}

impl<'a> Pen<'a> {
    /// A pen for a page.
    pub(super) fn new(surface: Surface<'a>, typefaces: &'a Typefaces) -> Self {
        Self { surface, typefaces }
    }

    /// Writes a line of text.
    pub(super) fn text(
        &mut self,
        [x, y]: [f32; 2],
        text: &str,
        size: f32,
        is_bold: bool,
        colour: Colour,
        align: Align,
    ) {
        let typeface = self.typefaces.pick(is_bold);
        let x = match align {
            Align::Left => x,
            Align::Right => x - typeface.width(text, size),
            Align::Middle => x - typeface.width(text, size) / 2.0,
        };
        self.fill(colour);
        let (at, font) = (Point::from_xy(x, y), typeface.font.clone());
        self.surface.draw_text(at, font, size, text, false, TextDirection::Auto);
    }

    /// A text cut to a width, with an ellipsis where it had to be.
    pub(super) fn fitted(&self, text: &str, size: f32, is_bold: bool, width: f32) -> String {
        let typeface = self.typefaces.pick(is_bold);
        if typeface.width(text, size) <= width {
            return text.to_owned();
        }
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let fits = |end: &usize| typeface.width(&format!("{}…", &text[..*end]), size) <= width;
        let kept = ends.partition_point(fits).saturating_sub(1);
        format!("{}…", text[..ends.get(kept).copied().unwrap_or(0)].trim_end())
    }

    /// A text in lines that fit a width; what is left over after the last is cut.
    pub(super) fn lines(
        &self,
        text: &str,
        size: f32,
        is_bold: bool,
        width: f32,
        most: usize,
    ) -> Vec<String> {
        let typeface = self.typefaces.pick(is_bold);
        let mut lines: Vec<String> = Vec::new();
        let mut line = String::new();
        for word in text.split_whitespace() {
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            let is_last = lines.len() + 1 == most;
            if line.is_empty() || is_last || typeface.width(&longer, size) <= width {
                line = longer;
            } else {
                lines.push(std::mem::replace(&mut line, word.to_owned()));
            }
        }
        lines.push(line);
        lines.iter().map(|line| self.fitted(line, size, is_bold, width)).collect()
    }

    /// Fills a rectangle from its left top corner.
    pub(super) fn rectangle(&mut self, [x, y]: [f32; 2], [w, h]: [f32; 2], colour: Colour) {
        let mut path = PathBuilder::new();
        if let Some(rect) = Rect::from_xywh(x, y, w, h) {
            path.push_rect(rect);
        }
        if let Some(path) = path.finish() {
            self.fill(colour);
            self.surface.draw_path(&path);
        }
    }

    /// Draws a thin line.
    pub(super) fn line(&mut self, [x, y]: [f32; 2], [to_x, to_y]: [f32; 2], colour: Colour) {
        let mut path = PathBuilder::new();
        path.move_to(x, y);
        path.line_to(to_x, to_y);
        if let Some(path) = path.finish() {
            self.surface.set_fill(None);
            let paint = colour.rgb().into();
            self.surface.set_stroke(Some(Stroke { paint, width: 0.7, ..Stroke::default() }));
            self.surface.draw_path(&path);
            self.surface.set_stroke(None);
        }
    }

    /// Ends the page.
    pub(super) fn finish(self) {
        self.surface.finish();
    }

    fn fill(&mut self, colour: Colour) {
        self.surface.set_fill(Some(Fill { paint: colour.rgb().into(), ..Fill::default() }));
    }
}
