//! What people do on a page, and what they wait for.

use std::time::{Duration, Instant};

use fantoccini::{Client, Locator, elements::Element};
use serde_json::{Value, json};

use super::{overflow, screenshot};

/// A page that hangs is told after so long; nothing else is judged by the clock.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until a script gives true.
pub async fn until(client: &Client, what: &str, script: &str) {
    let begun = Instant::now();
    loop {
        let found = client.execute(&format!("return Boolean({script});"), Vec::new()).await;
        if matches!(found, Ok(Value::Bool(true))) {
            return;
        }
        if begun.elapsed() > PATIENCE {
            screenshot(client, "failed").await;
            let text = client.execute("return document.body.innerText.slice(0, 2000);", Vec::new()).await;
            panic!("the page does not come to {what}; it shows: {text:?}");
        }
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
}

pub async fn shows(client: &Client, text: &str) {
    let script = format!("document.body.innerText.includes({})", json!(text));
    until(client, &format!("{text:?}"), &script).await;
}

pub async fn score(client: &Client, side: &str, points: i32) {
    let text = points.to_string().replace('-', "\u{2212}");
    let (side, text) = (json!(side), json!(text));
    let script = format!(
        "[...document.querySelectorAll('[data-score]')].some((n) => n.dataset.score === {side} && n.textContent === {text})"
    );
    until(client, &format!("{side} {text}"), &script).await;
}

/// The visible button or link whose name begins so.
pub async fn named(client: &Client, name: &str) -> Element {
    let script = format!(
        "(() => {{
          document.querySelectorAll('[data-found]').forEach((n) => n.removeAttribute('data-found'));
          const found = [...document.querySelectorAll('button, a, summary')].find((n) =>
            n.getClientRects().length && !n.disabled && (n.getAttribute('aria-label') || n.innerText).trim().startsWith({}));
          if (found) {{ found.setAttribute('data-found', ''); found.scrollIntoView({{block: 'center'}}); }}
          return found;
        }})()",
        json!(name)
    );
    loop {
        until(client, &format!("a button {name:?}"), &script).await;
        match client.find(Locator::Css("[data-found]")).await {
            Err(error) if error.is_no_such_element() => {} // The page was drawn anew in between.
            found => return found.unwrap(),
        }
    }
}

pub async fn press(client: &Client, name: &str) {
    loop {
        match named(client, name).await.click().await {
            Err(error) if error.is_stale_element_reference() => {} // Drawn anew: not pressed yet.
            pressed => return pressed.unwrap_or_else(|error| panic!("{name}: {error}")),
        }
    }
}

pub async fn fill(client: &Client, css: &str, text: &str) {
    let field = client.wait().at_most(PATIENCE).for_element(Locator::Css(css)).await.unwrap();
    field.clear().await.unwrap();
    field.send_keys(text).await.unwrap();
}

pub async fn fits(client: &Client, what: &str) {
    let (beyond, culprit) = overflow(client).await;
    assert!(beyond <= 1.0, "{what} is {beyond} px too wide: {culprit}");
}
