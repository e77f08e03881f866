//! What somebody does with a mouse and a keyboard: the browser gets the events that these send.

use std::time::Duration;

use fantoccini::actions::{
    InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction,
};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use serde_json::to_value;

use super::{Browser, quoted};
use crate::patience::{soon, until};

/// So many times the tab key is pressed at most: pages have fewer places to go to.
const STOPS: usize = 80;

/// What the place that has the focus is called.
const FOCUSED: &str = "const it = document.activeElement;
    const name = it.ariaLabel || it.labels?.[0]?.innerText || it.innerText || '';
    return name.trim()";

impl Browser {
    /// Holds the mouse over the place that a path leads to.
    pub async fn hover(&self, path: &str) {
        let element = self.in_sight(path).await;
        self.use_mouse(MouseActions::new("mouse".into()).then(over(element, 0.0))).await;
    }

    /// Drags what one path leads to onto what another one does.
    pub async fn drag(&self, from: &str, to: &str) {
        let (to, from) = (self.in_sight(to).await, self.in_sight(from).await);
        // A drag begins, and is seen to be over something, only when the mouse moves.
        let hand = MouseActions::new("mouse".into())
            .then(over(from.clone(), 0.0))
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(over(from, 5.0))
            .then(over(to.clone(), 0.0))
            .then(over(to, 5.0))
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.use_mouse(hand).await;
    }

    /// Puts a tick into the box of that name, or a mark into the circle.
    pub async fn tick(&self, name: &str) {
        let name = quoted(name);
        let path = format!(
            "//input[@aria-label={name}] | //label[starts-with(normalize-space(), {name})]//input"
        );
        soon(self.one(&path).await.click()).await.unwrap();
    }

    /// Presses keys, wherever the focus is.
    pub async fn keys(&self, keys: &[Key]) {
        let keys: String = keys.iter().map(|key| char::from(*key)).collect();
        self.types(&keys).await;
    }

    /// Types, wherever the focus is.
    pub async fn types(&self, text: &str) {
        let keyboard = text.chars().fold(KeyActions::new("keyboard".into()), |keyboard, value| {
            keyboard.then(KeyAction::Down { value }).then(KeyAction::Up { value })
        });
        soon(self.client.perform_actions(keyboard)).await.unwrap();
    }

    /// Goes on by the tab key until the focus is on what is called so.
    pub async fn tab_to(&self, name: &str) {
        let mut passed = Vec::new();
        while passed.len() < STOPS {
            self.keys(&[Key::Tab]).await;
            let here = self.focus().await;
            if here.starts_with(name) {
                return;
            }
            passed.push(here);
        }
        panic!("{name} cannot be reached by keyboard: {passed:?}");
    }

    /// What has the focus.
    pub async fn focus(&self) -> String {
        self.read(FOCUSED).await
    }

    /// Waits until what a path leads to says something.
    pub async fn reads(&self, path: &str, words: &str) {
        let element = self.one(path).await;
        until(async || soon(element.text()).await.unwrap(), |text| text.contains(words)).await;
    }

    async fn in_sight(&self, path: &str) -> Element {
        let element = self.one(path).await;
        let scroll = "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })";
        let of = vec![to_value(&element).unwrap()];
        soon(self.client.execute(scroll, of)).await.unwrap();
        element
    }

    async fn use_mouse(&self, hand: MouseActions) {
        soon(self.client.perform_actions(hand)).await.unwrap();
    }
}

/// Moves the mouse over an element: to its middle, or so many pixels below.
fn over(element: Element, y: f64) -> PointerAction {
    PointerAction::MoveToElement { element, duration: Some(Duration::from_millis(20)), x: 0.0, y }
}
