"use strict";
// The lists at the end of the live page. Each is read when somebody opens it, and again while it is open.
const Lists = (() => {
  const { element, say, counted, setText, minutes } = Entrain;
  const byId = (id) => document.getElementById(id);
  const language = document.documentElement.lang;
  const percent = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const megabytes = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  let page = null;
  const list = (id, draw) => {
    const again = async () => {
      if (!byId(id) || !byId(id).open) return;
      try { await draw(); } catch (problem) { setText(`${id}-words`, say("listUnread", problem.message)); }
    };
    if (byId(id)) byId(id).addEventListener("toggle", again);
    return again;
  };

  // Finished sessions ------------------------------------------------------------------------------------------
  // Rounded down, so that a share just below a limit does not look like the limit.
  const share = (value) => say("covered", percent.format(Math.floor(value * 1000 + 1e-6) / 10));
  const qualityWords = (quality) => [
    quality.coverage === undefined ? "" : share(quality.coverage),
    quality.longestGap ? say("longestGap", percent.format(quality.longestGap)) : "",
    quality.pauses ? counted(quality.pauses, "pauses") : "",
    quality.stoodStill ? say("stoodStill", percent.format(quality.stoodStill)) : "",
    quality.worstLateness ? say("worstLateness", percent.format(Math.abs(quality.worstLateness) * 1000)) : "",
    quality.underruns ? counted(quality.underruns, "underruns") : "", quality.problems ? counted(quality.problems, "problems") : "",
  ].filter(Boolean).join(", ");
  const receivedWords = ({ readings, gaps, gapSeconds }) =>
    counted(readings, "reading") + (gaps ? `, ${counted(gaps, "gap").replace("%2", minutes(gapSeconds))}` : "");
  const qualityOf = (session) => {
    const { quality, received, kind } = session;
    if (quality) {
      const words = qualityWords(quality) || say("nothingRecorded");
      // A run that was not completed is neither.
      const judged = quality.poor === undefined || session.outcome !== "completed" ? [] : [element("span", { class: "judged", "data-state": quality.poor ? "warned" : "running" }, say(quality.poor ? "poor" : "good")), " "];
      return [...judged, session.isFromBundle ? `${words} (${say("fromBundle")})` : words];
    }
    const own = kind === "import" ? counted(received.readings, "reading") : receivedWords(received);
    return [kind === "run" ? say("qualityUnknown", own) : own];
  };
  const outcome = (session) => {
    if (session.state === "lost") return say("endNotReported");
    if (session.kind === "import") return say("imported");
    if (session.kind === "readings") return say("noMoreReadings");
    return session.outcome ? page.outcomeOf(session) : say("state_over");
  };
  const stateOf = (session) => session.state === "lost" ? "lost" : session.outcome === "failed" ? "stale" : "over";
  let older = [];
  const finishedRow = (session) => {
    const open = element("button", { type: "button", class: "plain" }, page.whoOf(session));
    open.addEventListener("click", () => page.choose(session.id));
    const about = [page.name(session), session.session && say("sessionNumber", session.session), page.originOf(session), page.speedOf(session)].filter(Boolean);
    return element("tr", { "data-session": session.id }, element("td", {}, page.moment(session.startedAt)), element("td", {}, open), element("td", {}, about.join(" · ")),
      element("td", {}, element("span", { class: "judged", "data-state": stateOf(session) }, outcome(session))), element("td", {}, ...qualityOf(session)));
  };
  const drawFinished = async () => {
    const { sessions, more } = await Entrain.get("/api/finished");
    const seen = new Set(sessions.map((session) => session.id));
    const all = [...sessions, ...older.filter((session) => !seen.has(session.id))];
    setText("finished-words", all.length ? "" : say("noneFinished"));
    const drawn = JSON.stringify(all);
    if (byId("finished-sessions").drawn !== drawn) byId("finished-sessions").replaceChildren(...all.map(finishedRow));
    byId("finished-sessions").drawn = drawn;
    if (!older.length) byId("finished-more").hidden = !more;
  };
  const finished = list("finished", drawFinished);
  const more = async () => {
    byId("finished-more").disabled = true;
    try { await drawOlder(); } catch (problem) { setText("finished-words", say("listUnread", problem.message)); }
    byId("finished-more").disabled = false;
  };
  const drawOlder = async () => {
    const last = byId("finished-sessions").lastElementChild;
    const known = [...(await Entrain.get("/api/finished")).sessions, ...older].find((session) => last && session.id === last.dataset.session);
    if (!known) return;
    const answer = await Entrain.get(`/api/finished?before=${known.startedAt}`);
    older = [...older, ...answer.sessions];
    byId("finished-more").hidden = !answer.more;
    await drawFinished();
  };

  // How far studies have come ----------------------------------------------------------------------------------
  const pairs = (counts) => Object.entries(counts).sort(([one], [other]) => one.localeCompare(other, undefined, { numeric: true }));
  const balance = (counts) => element("ul", { class: "balance" }, ...pairs(counts).map(([name, count]) => {
    const most = Math.max(...Object.values(counts));
    const bar = element("span", { class: "bar-of", "aria-hidden": "true" });
    bar.style.setProperty("--share", most ? count / most : 0);
    return element("li", {}, element("span", {}, name), bar, element("b", {}, String(count)));
  }));
  const fact = (title, ...content) => element("div", {}, element("dt", {}, title), element("dd", {}, ...content));
  const rank = { overdue: 0, due: 1, incomplete: 2, running: 3 };
  const stateWords = (state) => `toCome_${state}` in EntrainWords ? say(`toCome_${state}`) : state;
  const study = (progress) => {
    const { study, title, source, date, participants, completed, incomplete, excluded, poor, arms, armsAreHidden, orders = [], toCome } = progress;
    const facts = [
      fact(say("participants"), String(participants)),
      fact(say("done"), [counted(completed, "doneSessions"), incomplete ? counted(incomplete, "incompleteSessions") : "", excluded ? counted(excluded, "excludedSessions") : "",
        poor ? counted(poor, "poorSessions") : ""].filter(Boolean).join(", ")),
    ];
    if (arms) facts.push(fact(say("arms"), balance(arms)));
    if (armsAreHidden) facts.push(fact(say("arms"), say("armsHidden")));
    for (const { block, counts, distinct } of orders) facts.push(fact(say("ordersOf", block), counts ? balance(counts) : counted(distinct, "distinctOrders")));
    const now = toCome.filter(({ state }) => state in rank).sort((one, other) => rank[one.state] - rank[other.state]);
    const later = toCome.length - now.length;
    const due = now.map(({ participant, session, state, when }) =>
      element("li", {}, element("span", { class: "judged", "data-state": state === "overdue" ? "warned" : "running" }, stateWords(state)), ` ${participant}, ${session}: ${when}`));
    if (later) due.push(element("li", { class: "quiet" }, counted(later, "laterSessions")));
    if (toCome.length) facts.push(fact(say("due"), element("ul", { class: "due" }, ...due)));
    const made = element("section", { class: "study" }, element("h3", {}, title || study, ...(source ? [" ", element("span", { class: "quiet" }, source)] : [])),
      element("p", { class: "quiet" }, say("asOf", page.moment(date))));
    if (toCome.length) {
      const bar = element("progress", { max: String(completed + toCome.length), value: String(completed), "aria-label": say("doneOf", completed, completed + toCome.length) });
      made.append(bar);
    }
    made.append(element("dl", { class: "facts" }, ...facts));
    return made;
  };
  const drawProgress = async () => {
    const { studies } = await Entrain.get("/api/studies");
    setText("progress-words", studies.length ? "" : say("noProgress"));
    byId("studies").replaceChildren(...studies.map(study));
  };
  const progress = list("progress", drawProgress);

  // Bundles ----------------------------------------------------------------------------------------------------
  const mostBundles = 500;
  const mayDelete = () => !byId("removal").hidden;
  // A bundle's run may never have been watched here: it is deleted from this list.
  const removal = ({ run, study, participant, session, start }) => {
    const made = element("div", { class: "buttons" });
    const offer = (words, target, what, code) => {
      const button = element("button", { type: "button", class: "grave" }, words);
      button.addEventListener("click", () => Deleting.ask(target, what, { code, done: refresh }));
      made.append(button);
    };
    const about = [study, participant, say("sessionNumber", session), start.slice(0, 16).replace("T", " ")].join(" · ");
    offer(say("deleteSession"), { session: run }, say("deleteSessionOf", about));
    offer(say("deletePerson", participant), { participant }, say("deletePerson", participant), participant);
    return made;
  };
  const drawBundles = async () => {
    const { bundles, arriving } = await Entrain.get("/api/bundles");
    setText("kept-words", [
      bundles.length ? counted(bundles.length, "bundleCount") : say("noBundles"), arriving ? counted(arriving, "bundlesArriving") : "",
      bundles.length > mostBundles ? say("newestOnly", mostBundles) : "",
    ].filter(Boolean).join(" "));
    // What has the focus keeps it as long as nothing has changed.
    const drawn = JSON.stringify(bundles);
    if (byId("kept-bundles").drawn === drawn) return;
    byId("kept-bundles").drawn = drawn;
    Entrain.fillTable("kept-bundles", bundles.slice(0, mostBundles).map((bundle) => [
      bundle.start.slice(0, 16).replace("T", " "), bundle.study, bundle.participant, String(bundle.session),
      [page.outcomeOf({ outcome: bundle.status }), ["simulated", "replayed"].includes(bundle.origin) ? say(`origin_${bundle.origin}`) : ""].filter(Boolean).join(" · "),
      say("megabytes", megabytes.format(bundle.bytes / 1e6)), ...(mayDelete() ? [removal(bundle)] : []),
    ]));
  };
  const kept = list("kept", drawBundles);

  // Deletions --------------------------------------------------------------------------------------------------
  const drawDeletions = async () => {
    const { deletions } = await Entrain.get("/api/deletions");
    setText("deletions-words", deletions.length ? "" : say("nothingDeleted"));
    Entrain.fillTable("deleted", deletions.map((trace) => [page.moment(trace.t), trace.author || "–", Deleting.traceWords(trace, page.moment), trace.reason]));
  };
  const deletions = list("deletions", drawDeletions);

  const refresh = () => { for (const again of [finished, progress, kept, deletions]) again(); };
  // What the page knows of sessions, and how it opens one.
  const begin = (own) => {
    page = own;
    byId("finished-more").addEventListener("click", more);
    setInterval(refresh, 10_000);
  };
  return { begin, refresh };
})();
