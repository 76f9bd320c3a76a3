// Which day the page is about, which one was asked for, and what of it has to be read again.

export class Visit {
  // Whether the shown day has changed since it was read, and whether one beside it has.
  isStale = false;
  areSidesStale = false;
  // The day that was asked for last, though it may not be there yet; none is today.
  wanted = null;
  #asked = 0;
  #answered = 0;

  constructor(date, participant) {
    this.date = date;
    this.participant = participant;
  }

  // The number of a question for a day.
  ask(date) {
    this.wanted = date;
    return ++this.#asked;
  }

  // Returns whether that question's answer is to be shown: not if another one was asked since.
  answer(question) {
    if (question !== this.#asked) return false;
    this.#answered = question;
    return true;
  }

  // A question for a day was answered with that status, or with none.
  fail(question, date, status) {
    if (!this.answer(question)) return;
    this.wanted = this.date;
    // The day that the page is about is asked for again, unless the question was wrong.
    const isWrong = status < 500 && status !== 429;
    if (date === this.date && !isWrong) this.outdate();
  }

  arrive(date) {
    this.date = this.wanted = date;
  }

  // The day from which somebody goes on: ten presses are ten days.
  get latest() {
    return this.wanted || this.date;
  }

  outdate() {
    this.isStale = this.areSidesStale = true;
  }

  // Something new has the moment t; `day` is what is shown.
  outdateBy(t, day) {
    if (day && t >= day.start && t < day.end) this.isStale = true;
    else this.areSidesStale = true;
  }

  // What is to be read again now; null if nothing is. A day that somebody has asked for comes first: to read
  // the shown day again would call that off.
  takeStale() {
    if (!(this.isStale || this.areSidesStale) || this.#answered !== this.#asked) return null;
    const hasNewSides = this.areSidesStale;
    this.isStale = this.areSidesStale = false;
    return { hasNewSides };
  }
}
