// The sound that calls somebody. Browsers let a page be heard only once somebody has pressed something on it.
import { remember } from "./page.mjs";

let context = null, next = 0;

export const canBeHeard = () => context !== null && context.state === "running";

export async function setSound(isOn) {
  remember("alarmSound", isOn);
  if (!isOn) {
    if (context) await context.close();
    context = null;
    return;
  }
  context ??= new AudioContext();
  await context.resume();
  beep();
}

// Every two seconds while something goes on that nobody has acknowledged.
export function call(isWanted) {
  if (!isWanted || !canBeHeard() || performance.now() < next) return;
  next = performance.now() + 1900;
  beep();
}

function beep() {
  const begin = context.currentTime + .02;
  tone(880, begin, .18);
  tone(660, begin + .22, .28);
}

function tone(frequency, begin, long) {
  const source = context.createOscillator(), volume = context.createGain();
  source.frequency.value = frequency;
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(.3, begin + .02);
  volume.gain.setValueAtTime(.3, begin + long - .05);
  volume.gain.linearRampToValueAtTime(0, begin + long);
  source.connect(volume).connect(context.destination);
  source.start(begin);
  source.stop(begin + long);
}
