// The list of studies, and how far each has come.
import { counted, say } from "../Computing/language.mjs";
import { doneWords, due, dueWords, shares } from "../Computing/quality.mjs";
import { dateAndClock } from "./clock.mjs";
import { byId, element, setText } from "./page.mjs";
import { get } from "./server.mjs";

export async function drawStudies() {
  const { studies } = await get("/api/studies");
  setText("progress-words", studies.length ? "" : say("noProgress"));
  byId("studies").replaceChildren(...studies.map(section));
}

function section(study) {
  const source = study.source ? [" ", element("span", { class: "quiet" }, study.source)] : [];
  const made = element(
    "section",
    { class: "study" },
    element("h3", {}, study.title || study.study, ...source),
    element("p", { class: "quiet" }, say("asOf", dateAndClock(study.date))),
  );
  const { completed, toCome } = study, all = completed + toCome.length;
  if (toCome.length) {
    const label = say("doneOf", completed, all);
    made.append(element("progress", { max: String(all), value: String(completed), "aria-label": label }));
  }
  made.append(element("dl", { class: "facts" }, ...facts(study)));
  return made;
}

const fact = (title, content) => element("div", {}, element("dt", {}, title), element("dd", {}, content));

function facts(study) {
  const { participants, arms, armsAreHidden, orders = [], toCome } = study;
  return [
    fact(say("participants"), String(participants)),
    fact(say("done"), doneWords(study)),
    ...(arms ? [fact(say("arms"), balance(arms))] : []),
    ...(armsAreHidden ? [fact(say("arms"), say("armsHidden"))] : []),
    ...orders.map(({ block, counts, distinct }) =>
      fact(say("ordersOf", block), counts ? balance(counts) : counted(distinct, "distinctOrders"))
    ),
    ...(toCome.length ? [fact(say("due"), dueList(toCome))] : []),
  ];
}

const balance = (counts) =>
  element(
    "ul",
    { class: "balance" },
    ...shares(counts).map(({ name, count, share }) => {
      const bar = element("span", { class: "bar-of", "aria-hidden": "true" });
      bar.style.setProperty("--share", share);
      return element("li", {}, element("span", {}, name), bar, element("b", {}, String(count)));
    }),
  );

function dueList(toCome) {
  const { now, later } = due(toCome);
  const item = ({ participant, session, state, when }) => {
    const look = {
      class: "judged",
      "data-state": ["overdue", "stopped"].includes(state) ? "warned" : "running",
    };
    return element("li", {}, element("span", look, dueWords(state)), ` ${participant}, ${session}: ${when}`);
  };
  const rest = later ? [element("li", { class: "quiet" }, counted(later, "laterSessions"))] : [];
  return element("ul", { class: "due" }, ...now.map(item), ...rest);
}
