// A phone's browser as the camera: pictures of its camera go to the program, one after the other.
import { link_badge, watch } from "./live.js";
import { post, seen, send } from "./session.js";
import { sentence } from "./words.js";

const by_id = (id) => document.getElementById(id);
const told = by_id("told");
const video = by_id("video");
const QUALITY = 0.9;
let stream = null;
let running = false;

function say(words) { told.textContent = sentence(words); }

async function start() {
  if (!window.navigator.mediaDevices || !window.isSecureContext) {
    say(`Browsers let a page use the camera over HTTPS only: start linecall with --tls and open https://${window.location.host}/phone`);
    return;
  }
  try {
    stream = await window.navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } }, audio: false });
    video.srcObject = stream;
    await video.play();
    await post("/api/home/source", { source: "phone" });
  } catch (failure) { say(failure.message); return; }
  running = true;
  by_id("go").hidden = true;
  by_id("stop").hidden = false;
  say("This phone is the camera. Go on with the set-up on any screen");
  // The screen stays on where the browser can do that.
  if (window.navigator.wakeLock) window.navigator.wakeLock.request("screen").catch(() => {});
  loop();
}

async function loop() {
  const canvas = document.createElement("canvas");
  let sent = 0;
  let since = Date.now();
  while (running) {
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext("2d").drawImage(video, 0, 0);
    const picture = await new Promise((done) => { canvas.toBlob(done, "image/jpeg", QUALITY); });
    try {
      await send("/api/home/phone", picture);
      sent += 1;
    } catch (failure) { stop(); say(failure.message); return; }
    if (Date.now() - since > 2000) {
      by_id("rate").textContent = `${((1000 * sent) / (Date.now() - since)).toFixed(0)} pictures a second, ${canvas.width} \u00d7 ${canvas.height}`;
      sent = 0;
      since = Date.now();
    }
  }
}

function stop() {
  running = false;
  if (stream) stream.getTracks().forEach((track) => track.stop());
  by_id("go").hidden = false;
  by_id("stop").hidden = true;
}

by_id("go").addEventListener("click", start);
by_id("stop").addEventListener("click", () => { stop(); say("This phone is not the camera any more"); });
watch(seen, link_badge(by_id("link")));
