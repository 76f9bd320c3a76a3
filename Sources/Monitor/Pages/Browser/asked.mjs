// The session that the page's address asks to be played again; null where the page shows what goes on.
import { askedReplay } from "../Computing/replay.mjs";

export const asked = askedReplay(location.search);
