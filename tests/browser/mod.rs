//! A real browser for tests: headless Chromium, driven through one chromedriver for the whole test
//! binary, a session of its own for every test.
//!
//! `make test` installs both. Without them a test that needs them fails and says so: a page that was
//! not looked at has not passed. chromedriver ends with the test binary, however that ends.

pub mod acts;

use std::{
    io::{BufRead, BufReader},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Mutex, OnceLock},
};

use fantoccini::{Client, ClientBuilder};
use serde_json::{Value, json};

/// What the page is looked at on.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    pub width: u32,
    pub height: u32,
    /// Touch, a phone's zoom, and nothing that only a mouse can do.
    pub is_phone: bool,
    pub is_dark: bool,
}

impl Screen {
    pub const DESK: Screen = Screen { width: 1280, height: 900, is_phone: false, is_dark: false };
    pub const PHONE: Screen = Screen { width: 390, height: 844, is_phone: true, is_dark: false };

    pub const fn dark(self) -> Screen {
        Screen { is_dark: true, ..self }
    }
}

/// Runs `visit` with a browser that shows `screen`. The session ends also when `visit` panics.
pub fn browse<T: 'static>(screen: Screen, visit: impl AsyncFnOnce(Client) -> T + 'static) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let local = tokio::task::LocalSet::new();
    let result = local.block_on(&runtime, async move {
        let client = session(screen).await;
        let visited = {
            let client = client.clone();
            tokio::task::spawn_local(async move { visit(client).await }).await
        };
        // A browser that is gone already is what a failed test may have left.
        let _ = client.close().await;
        visited
    });
    result.unwrap_or_else(|failed| std::panic::resume_unwind(failed.into_panic()))
}

async fn session(screen: Screen) -> Client {
    let mut options = json!({
        "args": [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync",
            // Its own test picture is the camera, and nobody is asked for leave.
            "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
        ],
        "mobileEmulation": {"deviceMetrics": {
            "width": screen.width, "height": screen.height, "pixelRatio": 1.0,
            "mobile": screen.is_phone, "touch": screen.is_phone,
        }},
    });
    if let Some(browser) = browser() {
        options["binary"] = json!(browser);
    }
    let mut capabilities = serde_json::Map::new();
    capabilities.insert("goog:chromeOptions".to_owned(), options);
    let client = ClientBuilder::new(hyper_connector())
        .capabilities(capabilities)
        .connect(driver())
        .await
        .unwrap_or_else(|error| panic!("chromedriver does not start a browser: {error}\n{INSTALL}"));
    let scheme = if screen.is_dark { "dark" } else { "light" };
    let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
    devtools(&client, "Emulation.setEmulatedMedia", media).await;
    client
}

/// A command of Chromium's own protocol, for what WebDriver has no words for.
pub async fn devtools(client: &Client, command: &str, parameters: Value) -> Value {
    let session = client.session_id().await.unwrap().expect("a session");
    let address = format!("{}/session/{session}/goog/cdp/execute", driver());
    let mut answer = ureq::post(&address)
        .send_json(json!({"cmd": command, "params": parameters}))
        .unwrap_or_else(|error| panic!("{command}: {error}"));
    answer.body_mut().read_json().unwrap()
}

/// Saves what the browser shows, the whole page, under `target/screenshots/NAME.png`.
pub async fn screenshot(client: &Client, name: &str) -> PathBuf {
    use base64::Engine;
    let taken =
        devtools(client, "Page.captureScreenshot", json!({"captureBeyondViewport": true, "format": "png"}))
            .await;
    let data = taken["value"]["data"].as_str().expect("a picture");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../screenshots");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{name}.png"));
    std::fs::write(&path, base64::engine::general_purpose::STANDARD.decode(data).unwrap()).unwrap();
    path
}

/// How far anything on the page reaches beyond its right edge, in CSS pixels, and what does: what
/// scrolls within a box of its own is no matter.
pub async fn overflow(client: &Client) -> (f64, String) {
    let script = "
        const width = document.documentElement.clientWidth;
        let worst = document.documentElement.scrollWidth - width, what = 'the page';
        for (const element of document.querySelectorAll('body *')) {
          if (element.closest('svg') && element.tagName !== 'svg') continue;
          let box = element.parentElement, scrolls = false;
          for (; box; box = box.parentElement) {
            const flow = getComputedStyle(box).overflowX;
            if (box !== document.body && (flow === 'auto' || flow === 'scroll')) scrolls = true;
          }
          const beyond = element.getBoundingClientRect().right - width;
          if (!scrolls && beyond > worst) { worst = beyond; what = element.outerHTML.slice(0, 120); }
        }
        return [worst, what];";
    let found = client.execute(script, Vec::new()).await.unwrap();
    (found[0].as_f64().unwrap(), found[1].as_str().unwrap_or_default().to_owned())
}

/// How many sheets a PDF has.
pub fn sheets(pdf: &[u8]) -> usize {
    let text = String::from_utf8_lossy(pdf);
    text.match_indices("/Type /Page").filter(|(at, found)| !text[at + found.len()..].starts_with('s')).count()
}

const INSTALL: &str = "The tests of pages need Chromium and its chromedriver: `make test` installs them \
    (Debian: apt-get install chromium chromium-driver), or name yours in CHROMEDRIVER and CHROMIUM.";

fn hyper_connector() -> hyper_util::client::legacy::connect::HttpConnector {
    hyper_util::client::legacy::connect::HttpConnector::new()
}

/// The address of the one chromedriver.
fn driver() -> &'static str {
    static DRIVER: OnceLock<Driver> = OnceLock::new();
    static STARTING: Mutex<()> = Mutex::new(());
    // A start that fails is tried again by the next test, which then says why itself.
    let _one = STARTING.lock().unwrap_or_else(|failed| failed.into_inner());
    &DRIVER.get_or_init(Driver::start).address
}

struct Driver {
    address: String,
    /// Held open: when this binary ends, its closing tells the shell to end chromedriver.
    _shell: Child,
}

impl Driver {
    fn start() -> Driver {
        let program = chromedriver().unwrap_or_else(|| panic!("chromedriver is missing. {INSTALL}"));
        // The shell waits for the end of its input, which comes with the end of this process,
        // however it ends; then all of its group goes: itself, chromedriver and the browsers.
        let script = "\"$0\" --port=0 --log-level=SEVERE </dev/null & cat >/dev/null; kill -s KILL 0";
        let mut shell = Command::new("sh")
            .args(["-c", script])
            .arg(&program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap_or_else(|error| panic!("{} does not start: {error}. {INSTALL}", program.display()));
        let out = BufReader::new(shell.stdout.take().unwrap());
        let port = out
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                line.split_once("successfully on port ")?.1.trim_end_matches('.').parse::<u16>().ok()
            })
            .unwrap_or_else(|| panic!("{} names no port. {INSTALL}", program.display()));
        Driver { address: format!("http://127.0.0.1:{port}"), _shell: shell }
    }
}

fn chromedriver() -> Option<PathBuf> {
    let own = std::env::var_os("CHROMEDRIVER").map(PathBuf::from);
    let of_ci = std::env::var_os("CHROMEWEBDRIVER").map(|folder| PathBuf::from(folder).join("chromedriver"));
    own.or_else(|| in_path("chromedriver")).or(of_ci)
}

/// `None`: chromedriver looks for it where it is usually installed.
fn browser() -> Option<PathBuf> {
    let own = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    own.or_else(|| names.into_iter().find_map(in_path))
}

fn in_path(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}
