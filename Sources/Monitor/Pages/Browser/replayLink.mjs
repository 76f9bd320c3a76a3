// The way to a session that is played again.
import { say } from "../Computing/language.mjs";
import { replayAddress } from "../Computing/replay.mjs";
import { whoOf } from "../Computing/sessions.mjs";
import { element } from "./page.mjs";

export const replayLink = (session) =>
  element(
    "a",
    {
      href: replayAddress({ run: session.id }),
      "aria-label": say("replayWho", whoOf(session)),
      class: "again",
    },
    say("replay"),
  );
