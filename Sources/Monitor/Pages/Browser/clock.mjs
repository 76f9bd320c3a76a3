// The clock of the monitor's machine, which all times are shown by; of a session that is played again, the clock of
// that time.
import { clockAt, dateAndClockAt } from "../Computing/times.mjs";

let ahead = 0, offset = 0, played = null;

export function setClock(told) {
  ahead = told.now - Date.now() / 1000;
  offset = told.offset || 0;
}

export function playClock(moment) {
  played = moment;
}

export const now = () => played ? played() : Date.now() / 1000 + ahead;
export const zone = () => offset;
export const clock = (time) => clockAt(time, offset);
export const dateAndClock = (time) => dateAndClockAt(time, offset);
