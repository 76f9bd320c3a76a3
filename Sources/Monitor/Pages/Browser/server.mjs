// What is asked of the monitor, and what it tells.
import { say } from "../Computing/language.mjs";
import { momentBy } from "../Computing/times.mjs";
import { byId, setText } from "./page.mjs";

// Without an answer, or with a proxy's own page instead of one, the error has no `status`.
async function ask(path, options) {
  let answer, said;
  try {
    answer = await fetch(path, options);
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

// An event stream that comes back by itself and goes on where it was. A page that nobody sees gives its
// connection back: browsers have six for each server. Returns how it is closed.
export function listen(path, handlers, onState = () => {}) {
  let source = null, last = null, isClosed = false, timer = null;
  const open = () => {
    source = new EventSource(last === null ? path : `${path}?after=${last}`);
    source.onopen = () => onState(true);
    source.onerror = () => {
      onState(false);
      if (source.readyState !== EventSource.CLOSED || isClosed) return;
      timer = setTimeout(open, 2000);
    };
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => {
        if (event.lastEventId) last = event.lastEventId;
        handle(JSON.parse(event.data), event.lastEventId);
      });
    }
  };
  const close = () => {
    clearTimeout(timer);
    source.close();
  };
  const seen = () => {
    close();
    if (!document.hidden) open();
  };
  document.addEventListener("visibilitychange", seen);
  open();
  return () => {
    isClosed = true;
    document.removeEventListener("visibilitychange", seen);
    close();
  };
}

// What happens everywhere; the head of the page says whether that is heard.
export const listenToAll = (handlers) =>
  listen("/api/events", handlers, (isUp) => {
    setText("connection", say(isUp ? "connected" : "away"));
    byId("connection").dataset.state = isUp ? "up" : "away";
  });
