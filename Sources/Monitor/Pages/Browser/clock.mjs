// The clock of the monitor's machine, which all times are shown by; of a session that is played again, the clock of
// that time.
import { clockAt, dateAndClockAt, offsetAt } from "../Computing/times.mjs";

let ahead = 0, offsets = [], played = null;

export function setClock(told) {
  ahead = told.now - Date.now() / 1000;
  offsets = told.offsets || [];
}

export function playClock(moment) {
  played = moment;
}

export const now = () => played ? played() : Date.now() / 1000 + ahead;
export const zone = (time) => offsetAt(time, offsets);
export const clock = (time) => clockAt(time, zone(time));
export const dateAndClock = (time) => dateAndClockAt(time, zone(time));
