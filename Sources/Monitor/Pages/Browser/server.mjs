// What is asked of the monitor, and what it tells.
import { say } from "../Computing/language.mjs";
import { momentBy } from "../Computing/times.mjs";
import { setClock } from "./clock.mjs";
import { byId, element, setText } from "./page.mjs";

// A monitor gives a sign of life every two seconds. Whoever hears nothing for so long, ms, knows nothing any more.
const patience = 5000;
// A run has thirty seconds to answer what is asked of it.
const limit = { GET: 10_000, POST: 40_000 };
// Whether the monitor refused to tell anything, since the token was revoked or the sign-in is over.
let isSignedOut = false;

// Without an answer, or with a proxy's own page instead of one, the error has no `status`.
async function ask(path, options) {
  let answer, said;
  try {
    answer = await fetch(path, { ...options, signal: AbortSignal.timeout(limit[options.method || "GET"]) });
    if (answer.status === 401) endSignIn();
    said = await answer.json();
  } catch {
    throw new Error(say("noAnswer"));
  }
  if (!answer.ok) throw Object.assign(new Error(said.error), { status: answer.status });
  return said;
}

export const get = (path) => ask(path, { cache: "no-store" });

// A request with a `key` that is repeated because its answer was lost is carried out once.
export const post = (path, value, key) =>
  ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(key ? { "Idempotency-Key": key } : {}) },
    body: JSON.stringify(value),
  });

// A moment of this page by the monitor's clock, and how many seconds it may be off.
export async function moment(at) {
  const comparisons = [];
  for (let count = 0; count < 3; count++) {
    const asked = performance.now(), { now } = await get("/api/clock");
    comparisons.push({ asked, now, answered: performance.now() });
  }
  return momentBy(comparisons, at);
}

// What has been read stays in sight; signing in leads back here.
function endSignIn() {
  if (isSignedOut) return;
  isSignedOut = true;
  const here = encodeURIComponent(location.pathname + location.search) + location.hash;
  const link = element("a", { href: `/sign-in?to=${here}` }, say("signIn"));
  byId("connection").dataset.state = "away";
  byId("connection").replaceChildren(say("signedOut"), " ", link);
}

// An event stream that comes back by itself and goes on where it was. A page that nobody sees gives its
// connection back: browsers have six for each server. Returns how it is closed.
function listen(path, handlers, onState = () => {}) {
  let source = null, last = null, timer = null, watch = null, heard = 0;
  const open = () => {
    heard = Date.now();
    source = new EventSource(last === null ? path : `${path}?after=${last}`);
    source.onopen = () => onState(true);
    source.onerror = () => lose(source.readyState === EventSource.CLOSED ? 2000 : null);
    for (const [name, handle] of Object.entries({ alive: () => {}, ...handlers })) {
      source.addEventListener(name, (event) => {
        heard = Date.now();
        if (event.lastEventId) last = event.lastEventId;
        handle(JSON.parse(event.data), event.lastEventId);
      });
    }
  };
  const close = () => {
    clearTimeout(timer);
    clearInterval(watch);
    source.close();
  };
  // The browser opens a stream that broke by itself, but not one that was refused or that is silent.
  const lose = (pause) => {
    onState(false);
    if (pause === null) return;
    close();
    timer = setTimeout(begin, pause);
    // A stream does not say why it was refused.
    get("/api/clock").catch(() => {});
  };
  const begin = () => {
    if (isSignedOut) return;
    open();
    watch = setInterval(() => Date.now() - heard > patience && lose(0), 500);
  };
  const seen = () => {
    close();
    if (!document.hidden) begin();
  };
  document.addEventListener("visibilitychange", seen);
  begin();
  return () => {
    document.removeEventListener("visibilitychange", seen);
    close();
  };
}

// What was told of one session and what is, message by message. `whole` is called when all that is stored has come.
export function listenToRun(run, take, whole = () => {}) {
  const taking = (name) => [name, (data, number) => take(name, data, number)];
  const names = ["session", "heartRate", "event", "note", "noteChanged"];
  return listen(`/api/sessions/${encodeURIComponent(run)}/events`, {
    clock: setClock,
    alive: whole,
    ...Object.fromEntries(names.map(taking)),
  });
}

// Whether a session is not there any more.
export async function isGone(session) {
  try {
    await get(`/api/sessions/${encodeURIComponent(session)}`);
  } catch (problem) {
    return problem.status === 404;
  }
  return false;
}

// What happens everywhere; the head of the page says whether that is heard.
export const listenToAll = (handlers, onState = () => {}) =>
  listen("/api/events", handlers, (isUp) => {
    onState(isUp);
    if (isSignedOut) return;
    setText("connection", say(isUp ? "connected" : "away"));
    byId("connection").dataset.state = isUp ? "up" : "away";
  });
