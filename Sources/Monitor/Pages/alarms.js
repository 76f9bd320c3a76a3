"use strict";
// Alarms: what the monitor raised, who has seen it, and the sound that calls somebody.
const Alarms = (() => {
  const { element, say, remember, remembered, rateLabel } = Entrain;
  const known = new Map();
  const byNewest = (one, other) => other.number - one.number;

  const take = (alarm) => { known.set(alarm.number, alarm); };
  const load = async (path = "/api/alarms") => { for (const alarm of (await Entrain.get(path)).alarms) take(alarm); };
  const all = () => [...known.values()].sort(byNewest);
  const of = (session) => all().filter((alarm) => alarm.session === session);
  // What nobody has acknowledged, and what goes on; the former comes first.
  const open = (sessions) => all().filter((alarm) => sessions.has(alarm.session) && (!alarm.acknowledged || !alarm.ended))
    .sort((one, other) => Boolean(one.acknowledged) - Boolean(other.acknowledged) || byNewest(one, other));

  const words = (alarm) => {
    const text = say(`alarm_${alarm.kind}`, alarm.limit === undefined ? "" : rateLabel(alarm.limit), alarm.for);
    return alarm.rate ? `${text} (${rateLabel(alarm.rate)})` : text;
  };
  const acknowledgedWords = (alarm, clock) => alarm.acknowledged ? say("acknowledgedBy", alarm.author || "–", clock(alarm.acknowledged)) : "";
  const marked = (mark) => say(mark === "kept" ? "markedYes" : mark === "unknown" ? "markedUnknown" : "markedNo");
  const markWords = (alarm) => alarm.acknowledged
    ? `${marked(alarm.mark)}; ${say("alarmAcknowledged")}: ${marked(alarm.acknowledgementMark)}` : marked(alarm.mark);

  const acknowledge = async (alarm) => { take(await Entrain.post(`/api/alarms/${alarm.number}`, {})); };

  // One line of the list above the rooms.
  const line = (alarm, { who, clock, mayAcknowledge, choose, failed }) => {
    const go = element("button", { type: "button", class: "plain who" }, who);
    go.addEventListener("click", choose);
    const state = alarm.acknowledged ? "acknowledged" : alarm.ended ? "past" : "standing";
    const times = alarm.ended ? say("alarmFromTo", clock(alarm.began), clock(alarm.ended)) : say("alarmSince", clock(alarm.began));
    const made = element("li", { "data-alarm": state, "data-number": alarm.number }, element("span", { class: "sign" }), go,
      element("strong", {}, words(alarm)), element("span", { class: "times" }, times));
    if (alarm.acknowledged) made.append(element("span", { class: "times" }, acknowledgedWords(alarm, clock)));
    else if (mayAcknowledge) {
      const button = element("button", { type: "button", class: "push" }, say("acknowledge"));
      button.addEventListener("click", async () => {
        button.disabled = true;
        try { await acknowledge(alarm); } catch (problem) { failed(problem); button.disabled = false; }
      });
      made.append(button);
    }
    return made;
  };

  // Sound. Browsers let a page be heard only once somebody has pressed something on it.
  let context = null, next = 0;
  const canBeHeard = () => context !== null && context.state === "running";
  const setSound = async (isOn) => {
    remember("alarmSound", isOn);
    if (!isOn) {
      if (context) await context.close();
      context = null;
      return;
    }
    context ??= new AudioContext();
    await context.resume();
    beep();
  };
  const tone = (frequency, begin, long) => {
    const source = context.createOscillator(), volume = context.createGain();
    source.frequency.value = frequency;
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(.3, begin + .02);
    volume.gain.setValueAtTime(.3, begin + long - .05);
    volume.gain.linearRampToValueAtTime(0, begin + long);
    source.connect(volume).connect(context.destination);
    source.start(begin);
    source.stop(begin + long);
  };
  const beep = () => {
    const begin = context.currentTime + .02;
    tone(880, begin, .18);
    tone(660, begin + .22, .28);
  };
  // Every two seconds while something goes on that nobody has acknowledged.
  const call = (isWanted) => {
    if (!isWanted || !canBeHeard() || performance.now() < next) return;
    next = performance.now() + 1900;
    beep();
  };

  return { take, load, of, open, words, acknowledgedWords, markWords, line, canBeHeard, setSound, call, wasOn: () => remembered("alarmSound", false) === true };
})();
