//! A browser, and somebody in front of it.

mod hands;

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::Path;

use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use futures_util::FutureExt;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

use crate::driver::Driver;
use crate::patience::{PATIENCE, soon, until};

/// What every browser is started with: nobody looks at it, and it speaks with nobody but the service.
const FLAGS: [&str; 9] = [
    "--headless",
    "--hide-scrollbars",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// How wide a phone is, in pixels of a page.
pub const PHONE: u32 = 390;

/// How a person has set up their device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setup {
    Light,
    Dark,
    Phone,
}

impl Setup {
    /// What the browser is told about the colours that they like.
    const fn colours(self) -> &'static str {
        match self {
            Self::Light | Self::Phone => "--blink-settings=preferredColorScheme=1",
            Self::Dark => "--blink-settings=preferredColorScheme=0",
        }
    }

    /// What the driver is told about the browser, whose files lie in a directory of its own.
    fn options(self, profile: &Path) -> Value {
        let profile = format!("--user-data-dir={}", profile.display());
        let own = ["--window-size=1280,900", self.colours(), &profile];
        let flags: Vec<_> = FLAGS.into_iter().chain(own).collect();
        match self {
            Self::Light | Self::Dark => json!({ "args": flags }),
            // No window is as narrow as that.
            Self::Phone => {
                let screen = json!({ "width": PHONE, "height": 844, "pixelRatio": 2 });
                json!({ "args": flags, "mobileEmulation": { "deviceMetrics": screen } })
            }
        }
    }
}

/// A browser that nobody has used before.
pub struct Browser {
    client: Client,
}

impl Browser {
    /// Lets somebody use a fresh browser, and closes it whatever comes of it.
    pub async fn with<T>(setup: Setup, visit: impl AsyncFnOnce(&Self) -> T) -> T {
        let (driver, profile) = (Driver::start().await, tempfile::tempdir().unwrap());
        let options = setup.options(profile.path());
        let capabilities = [("goog:chromeOptions".to_owned(), options)].into_iter().collect();
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let url = driver.url();
        let client = soon(builder.capabilities(capabilities).connect(&url)).await.unwrap();
        let browser = Self { client };
        let came_of_it = AssertUnwindSafe(visit(&browser)).catch_unwind().await;
        if came_of_it.is_err() {
            browser.describe().await;
        }
        let closed = soon(browser.client.close()).await;
        let came_of_it = came_of_it.unwrap_or_else(|panic| resume_unwind(panic));
        closed.unwrap();
        came_of_it
    }

    /// Types an address.
    pub async fn go(&self, url: &str) {
        soon(self.client.goto(url)).await.unwrap();
    }

    /// The path that it is at.
    pub async fn path(&self) -> String {
        soon(self.client.current_url()).await.unwrap().path().to_owned()
    }

    /// The heading of the page.
    pub async fn heading(&self) -> String {
        self.read("return document.querySelector('h1').innerText").await
    }

    /// Everything that can be read on the page.
    pub async fn text(&self) -> String {
        self.read("return document.body.innerText").await
    }

    /// Reads a text off the page. One that is on its way out, or not there yet, is asked again.
    async fn read(&self, script: &str) -> String {
        let (read, _) =
            until(async || self.client.execute(script, Vec::new()).await, Result::is_ok).await;
        read.unwrap().as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the page says something.
    pub async fn sees(&self, words: &str) {
        until(async || self.text().await, |text| text.contains(words)).await;
    }

    /// Types into the field with that label.
    pub async fn fill(&self, label: &str, text: &str) {
        let field = self.labelled(label).await;
        soon(field.clear()).await.unwrap();
        soon(field.send_keys(text)).await.unwrap();
    }

    /// Chooses from the list with that label.
    pub async fn choose(&self, label: &str, option: &str) {
        soon(self.labelled(label).await.select_by_label(option)).await.unwrap();
    }

    /// Presses the button, or follows the link, that says this. The page that comes is there when this
    /// returns.
    pub async fn press(&self, words: &str) {
        let words = quoted(words);
        let path = format!(
            "//main//button[normalize-space()={words}] | //a[normalize-space()={words}] | \
             //header//button[normalize-space()={words}]"
        );
        soon(self.one(&path).await.click()).await.unwrap();
    }

    /// Presses the button that says this in the dialog that is open.
    pub async fn press_in_dialog(&self, words: &str) {
        let words = quoted(words);
        let path =
            format!("//dialog[@open]//*[self::button or self::a][normalize-space()={words}]");
        soon(self.one(&path).await.click()).await.unwrap();
    }

    /// Opens what is folded away behind those words.
    pub async fn unfold(&self, words: &str) {
        let path = format!("//summary[normalize-space()={}]", quoted(words));
        soon(self.one(&path).await.click()).await.unwrap();
    }

    /// Whether there is a button, or a link, that says this.
    pub async fn offers(&self, words: &str) -> bool {
        let words = quoted(words);
        let path = format!("//*[self::button or self::a][normalize-space()={words}]");
        !soon(self.client.find_all(Locator::XPath(&path))).await.unwrap().is_empty()
    }

    /// Runs a script in the page.
    pub async fn run(&self, script: &str) -> Value {
        soon(self.client.execute(script, Vec::new())).await.unwrap()
    }

    /// A picture of what is seen, as a PNG file.
    pub async fn picture(&self) -> Vec<u8> {
        soon(self.client.screenshot()).await.unwrap()
    }

    async fn labelled(&self, label: &str) -> Element {
        let label = quoted(label);
        self.one(&format!("//*[@id=//label[normalize-space()={label}]/@for]")).await
    }

    /// The first element of a path, awaited.
    async fn one(&self, path: &str) -> Element {
        let found = self.client.wait().at_most(PATIENCE).for_element(Locator::XPath(path)).await;
        found.unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Says where somebody was when it went wrong.
    async fn describe(&self) {
        let (url, text) =
            (self.client.current_url().await, self.run("return document.body.innerText").await);
        #[expect(clippy::print_stderr, reason = "whoever reads of the failure needs it")]
        {
            eprintln!("--- the browser is at {url:?}:\n{text}\n---");
        }
    }
}

/// A text in a path. No words of ours hold quotation marks.
fn quoted(words: &str) -> String {
    format!("\"{words}\"")
}
