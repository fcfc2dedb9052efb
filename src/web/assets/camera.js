// This phone as the camera: its pictures go up one by one, each when the server asks for it.
import { post } from "./session.js";
import { sentence } from "./words.js";

const video = document.getElementById("seen");
const status = document.getElementById("status");
const start = document.getElementById("start");
const stop = document.getElementById("stop");
const save = document.getElementById("save");
const canvas = document.createElement("canvas");
const QUALITY = 0.9;
/** Seconds before a connection that broke is tried again. */
const AGAIN_SECS = 2;

let stream = null;
let socket = null;
let sent = 0;

function say(text) {
  if (status.textContent !== text) status.textContent = text;
}

/** Why this browser does not give its camera; empty when it does. */
function refusal() {
  if (!window.isSecureContext) {
    return "Browsers give their camera to pages over HTTPS only. Open this page by its https:// address, or use an app that streams the phone\u2019s camera.";
  }
  if (!navigator.mediaDevices || !navigator.mediaDevices.getUserMedia) return "This browser has no way to its camera.";
  return "";
}

start.addEventListener("click", async () => {
  const refused = refusal();
  if (refused) return say(refused);
  try {
    const wanted = await post("/api/camera", {});
    [canvas.width, canvas.height] = wanted.size;
    await open_camera(wanted.size);
  } catch (failure) {
    end();
    return say(sentence(failure.message));
  }
  start.hidden = true;
  stop.hidden = false;
  keep_awake();
  connect();
});

stop.addEventListener("click", () => {
  end();
  say("The camera is off.");
});

async function open_camera([width, height]) {
  stream = await navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: "environment" }, width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: 30 } },
  });
  video.srcObject = stream;
  await video.play();
}

/** A screen that sleeps ends the camera. */
async function keep_awake() {
  try { if (navigator.wakeLock) await navigator.wakeLock.request("screen"); } catch (error) { /* the page says to plug it in */ }
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  socket = new WebSocket(`${scheme}//${location.host}/api/camera/frames`);
  const own = socket;
  own.addEventListener("message", (message) => {
    if (message.data === "next") send(own);
    else say(sentence(message.data));
  });
  own.addEventListener("close", () => {
    if (own !== socket || !stream) return;
    say("The connection broke off; it is tried again.");
    window.setTimeout(() => { if (own === socket && stream) connect(); }, 1000 * AGAIN_SECS);
  });
}

/** The middle of what the camera sees, in the size that is wanted. */
function draw() {
  const scale = Math.max(canvas.width / video.videoWidth, canvas.height / video.videoHeight);
  const [width, height] = [canvas.width / scale, canvas.height / scale];
  const [x, y] = [(video.videoWidth - width) / 2, (video.videoHeight - height) / 2];
  canvas.getContext("2d").drawImage(video, x, y, width, height, 0, 0, canvas.width, canvas.height);
}

function send(own) {
  if (!stream || own.readyState !== WebSocket.OPEN) return;
  if (!video.videoWidth) return void window.setTimeout(() => send(own), 50);
  draw();
  canvas.toBlob((picture) => {
    if (!picture || own.readyState !== WebSocket.OPEN) return;
    if (sent === 0) offer(picture);
    own.send(picture);
    sent += 1;
    const turned = (video.videoWidth > video.videoHeight) !== (canvas.width > canvas.height);
    say(turned ? "Turn the phone by a quarter: most of its picture is cut off." : `${sent} pictures sent.`);
  }, "image/jpeg", QUALITY);
}

/** The first picture, to calibrate with. */
function offer(picture) {
  save.href = URL.createObjectURL(picture);
  save.hidden = false;
}

function end() {
  if (stream) stream.getTracks().forEach((track) => track.stop());
  stream = null;
  video.srcObject = null;
  const own = socket;
  socket = null;
  if (own) own.close();
  start.hidden = false;
  stop.hidden = true;
}
