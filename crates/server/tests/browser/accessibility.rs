//! What a page must have for those who do not see it well, or have no mouse.

use crate::browser::Browser;

/// Says what is wrong with the page: one sentence for each fault.
const INSPECTION: &str = include_str!("accessibility.js");

/// Asserts that the page can be used by everybody: labels, names, contrast, order of focus.
pub async fn assert_accessible(browser: &Browser) {
    let faults = browser.run(INSPECTION).await;
    let at = browser.path().await;
    assert_eq!(faults, serde_json::json!([]), "{at}");
}

/// The faults are found: a page that has each of them is told so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_with_every_fault_is_told_so() {
    const FAULTY: &str = "data:text/html,<title></title><h1>a</h1><h1>b</h1>\
        <p style='color:%23999;background:%23fff'>pale</p><input><button></button><img src='x'>\
        <a href='%23' tabindex='3'>first</a><i id='x'></i><i id='x'></i><table><tr><th>a</th></tr></table>";
    Browser::with(crate::browser::Setup::Light, async |browser| {
        browser.go(FAULTY).await;
        let faults = browser.run(INSPECTION).await.to_string();
        let expected = [
            "no language",
            "no title",
            "2 main headings",
            "contrast",
            "no label",
            "no name",
            "no alternative text",
            "order of focus",
            "id x",
            "no scope",
            "no main part",
        ];
        for fault in expected {
            assert!(faults.contains(fault), "{fault} is missing in {faults}");
        }
    })
    .await;
}
