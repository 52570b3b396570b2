// Shared by all live designs: elements, numbers in words, bars that can be dragged, curves, scenes and links.
"use strict";

const shared = JSON.parse(document.getElementById("design-data").textContent);
const dpdesigner = {};
const live = {};  // for each kind: (section's data, its element) -> {set(state), state(), proved(), sentence()}

const SVG = "http://www.w3.org/2000/svg";

/** Make an element with attributes and children; what is text stays text. */
function make(name, attributes = {}, ...children) {
  const svg = ["svg", "g", "rect", "line", "path", "text", "circle", "title"].includes(name);
  const element = svg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Make a card with a heading and a grey word. */
function card(key, heading, word, ...children) {
  const head = make("div", { class: "head" }, make("h3", {}, heading), make("span", { class: "muted" }, word));
  return make("section", { class: "card", "data-card": key, "aria-label": heading }, head, ...children);
}

/** A number with these significant digits, without zeros at its end. */
function figure(value, digits = 5) {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    return `${Number(mantissa)}e${Number(exponent)}`.replaceAll("-", "−");
  }
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

/** How much more another cost is: "4% more", from twice on "2.4 times as much". */
function more(first, other) {
  if (!(first > 0)) return other > 0 ? "more" : "just as much";
  const percent = 100 * (other / first - 1);
  if (percent < 0.001) return "just as much";
  if (percent >= 100) return `${figure(other / first, 2)} times as much`;
  return `${percent < 1 ? figure(percent, 1) : Math.round(percent)}% more`;
}

const percentText = (share) => `${figure(100 * share, 3)}%`;
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** Whole-number ticks 0..n, at most so many. */
function ticks(n, most) {
  const step = [1, 2, 5, 10, 20, 25, 50, 100].find((each) => n / each <= most) ?? Math.ceil(n / most);
  return Array.from({ length: Math.floor(n / step) + 1 }, (_, k) => k * step);
}

/** A round number at or above a share, for the top of an axis. */
function roundUp(value) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(value, 1e-6)));
  return [1, 2, 4, 5, 6, 8, 10].map((each) => each * unit).find((each) => each >= value * (1 - 1e-9));
}

/** Where a pointer is in the coordinates of a picture. */
function placeIn(svg, event) {
  const box = svg.getBoundingClientRect(), view = svg.viewBox.baseVal;
  return { x: ((event.clientX - box.left) / box.width) * view.width, y: ((event.clientY - box.top) / box.height) * view.height };
}

/** Call back with every point of a drag, from the press on. */
function dragged(element, moved) {
  element.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    element.setPointerCapture(event.pointerId);
    moved(event, true);
    const move = (next) => moved(next, false);
    const end = () => {
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerup", end);
      element.removeEventListener("pointercancel", end);
    };
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", end);
    element.addEventListener("pointercancel", end);
    event.preventDefault();
  });
}

const FRAME = { width: 340, left: 52, right: 8, top: 10 };

/** Bars over 0..n with an axis in percent; with `changed` they can be dragged and moved with the keys. */
class Bars {
  constructor(label, height, changed = null) {
    this.height = height;
    this.changed = changed;
    this.chosen = 0;
    this.values = [];
    const role = changed ? { role: "group", "aria-label": label } : { role: "img", "aria-label": label };
    this.svg = make("svg", { viewBox: `0 0 ${FRAME.width} ${height}`, class: changed ? "bars live" : "bars", ...role });
    if (changed) {
      dragged(this.svg, (event, first) => {
        const at = placeIn(this.svg, event);
        const place = clamp(Math.floor((at.x - FRAME.left) / this.step), 0, this.values.length - 1);
        if (first) this.top0 = this.top;
        this.choose(place);
        changed(place, clamp((this.base - at.y) / (this.base - FRAME.top), 0, 1) * this.top0, first);
      });
      this.svg.addEventListener("keydown", (event) => this.key(event));
    }
  }

  choose(place) {
    this.chosen = place;
  }

  key(event) {
    const last = this.values.length - 1, share = this.values[this.chosen];
    const moves = { ArrowLeft: -1, ArrowRight: 1 };
    const changes = { ArrowUp: share + 0.01, ArrowDown: share - 0.01, PageUp: share + 0.05, PageDown: share - 0.05, Home: 0, End: 1 };
    if (event.key in moves) this.choose(clamp(this.chosen + moves[event.key], 0, last));
    else if (event.key in changes) this.changed(this.chosen, clamp(changes[event.key], 0, 1), true);
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.draw(this.values, this.marks);
    this.svg.querySelector('[tabindex="0"]').focus();
  }

  /** Draw bars; `marks` says which bar is the true count (warm), which is outlined, and what further rows of labels there are. */
  draw(values, marks = {}) {
    this.values = values;
    this.marks = marks;
    const n = values.length - 1, rows = marks.rows ?? [], focused = this.svg.contains(document.activeElement);
    this.base = this.height - 18 - 16 * rows.length;
    this.step = (FRAME.width - FRAME.left - FRAME.right) / values.length;
    const most = Math.max(...values, 1e-9);
    this.top = roundUp(most * 1.05) > 1 ? 1 : roundUp(most * 1.05);
    const parts = [];
    for (const share of [0, this.top / 2, this.top]) {
      const y = this.y(share);
      parts.push(make("line", { class: "grid", x1: FRAME.left, x2: FRAME.width - FRAME.right, y1: y, y2: y }));
      parts.push(make("text", { x: FRAME.left - 6, y: y + 4, class: "tick end" }, `${figure(100 * share, 3)}%`));
    }
    const gap = this.step > 6 ? 1.5 : 0.2;
    values.forEach((share, k) => {
      const y = this.y(share), classes = k === marks.warm ? "bar warm" : "bar";
      const slider = this.changed
        ? { role: "slider", tabindex: k === this.chosen ? 0 : -1, "aria-valuemin": 0, "aria-valuemax": 100, "aria-label": `count ${k}`,
            "aria-valuenow": figure(100 * share, 3), "aria-valuetext": percentText(share) }
        : {};
      const x = FRAME.left + k * this.step + gap / 2, width = Math.max(this.step - gap, 0.5);
      parts.push(make("rect", { class: classes, x, y, width, height: Math.max(this.base - y, 0), ...slider },
        make("title", {}, `${k}: ${percentText(share)}`)));
    });
    const shown = ticks(n, 10).filter((k) => marks.warm === undefined || k === marks.warm || Math.abs(k - marks.warm) * this.step > 16);
    for (const k of marks.warm === undefined || shown.includes(marks.warm) ? shown : [...shown, marks.warm]) {
      parts.push(make("text", { x: this.x(k), y: this.base + 14, class: k === marks.warm ? "tick middle warm" : "tick middle" }, String(k)));
    }
    if (marks.name) parts.push(make("text", { x: FRAME.left - 6, y: this.base + 14, class: "tick end" }, marks.name));
    rows.forEach((row, r) => {
      const y = this.base + 30 + 16 * r;
      parts.push(make("text", { x: FRAME.left - 6, y, class: "tick end" }, row.name));
      for (const k of ticks(n, 10)) parts.push(make("text", { x: this.x(k), y, class: "tick middle" }, String(row.values[k])));
    });
    if (marks.flag !== undefined && marks.flag !== null) {
      parts.push(make("circle", { class: "flag", cx: this.x(marks.flag), cy: this.y(values[marks.flag]) - 1, r: 5 }));
    }
    for (const [k, count] of Object.entries(marks.counts ?? {})) {
      const y = this.y(count);
      parts.push(make("circle", { class: "dot", cx: this.x(Number(k)), cy: clamp(y, FRAME.top, this.base), r: 3 }));
    }
    this.svg.replaceChildren(...parts);
    if (focused && this.changed) this.svg.querySelector('[tabindex="0"]').focus();
  }

  x(k) {
    return FRAME.left + (k + 0.5) * this.step;
  }

  y(share) {
    return this.base - (this.base - FRAME.top) * Math.min(share / this.top, 1);
  }
}

/** Curves over an axis, with a line that can be dragged where `moved` is given. */
class Curves {
  constructor(label, height, logarithmic, moved = null) {
    this.height = height;
    this.logarithmic = logarithmic;
    this.svg = make("svg", { viewBox: `0 0 ${FRAME.width} ${height}`, class: moved ? "curves live" : "curves", role: "img", "aria-label": label });
    if (moved) dragged(this.svg, (event) => moved(this.value(placeIn(this.svg, event).x)));
  }

  value(x) {
    const part = clamp((x - FRAME.left) / (FRAME.width - FRAME.left - FRAME.right), 0, 1);
    return this.logarithmic ? this.low * (this.high / this.low) ** part : this.low + (this.high - this.low) * part;
  }

  x(value) {
    const part = this.logarithmic ? Math.log(value / this.low) / Math.log(this.high / this.low) : (value - this.low) / (this.high - this.low);
    return FRAME.left + (FRAME.width - FRAME.left - FRAME.right) * clamp(part, 0, 1);
  }

  /** Draw lines {x, y, name, kind}; `at` is where the line to drag is, `dot` its height. */
  draw(lines, { low, high, marks, top, at = null, dot = null, words = "" }) {
    Object.assign(this, { low, high });
    const base = this.height - 20, start = at === null ? 10 : 26;
    const y = (value) => base - (base - start) * clamp(value / top, 0, 1.02);
    const parts = [];
    for (const value of [0, top / 2, top]) {
      parts.push(make("line", { class: "grid", x1: FRAME.left, x2: FRAME.width - FRAME.right, y1: y(value), y2: y(value) }));
      parts.push(make("text", { x: FRAME.left - 6, y: y(value) + 4, class: "tick end" }, figure(value, 3)));
    }
    for (const mark of marks) parts.push(make("text", { x: this.x(mark), y: base + 15, class: "tick middle" }, figure(mark, 3)));
    for (const line of lines) {
      const path = line.x.map((x, k) => `${k ? "L" : "M"}${this.x(x).toFixed(2)},${y(line.y[k]).toFixed(2)}`).join("");
      parts.push(make("path", { class: `curve ${line.kind}`, d: path }));
    }
    if (at !== null) {
      parts.push(make("line", { class: "handle", x1: this.x(at), x2: this.x(at), y1: start - 4, y2: base }));
      parts.push(make("text", { x: clamp(this.x(at), 90, FRAME.width - 60), y: 14, class: "tick middle" }, words));
      if (dot !== null) parts.push(make("circle", { class: "flag", cx: this.x(at), cy: y(dot), r: 5 }));
    }
    this.svg.replaceChildren(...parts);
  }
}

/** A slider over ratios: its place 0..1 is the logarithm of the value between `low` and `high`. */
function logSlider(label, low, high, changed) {
  const slider = make("input", { type: "range", min: 0, max: 1000, step: 1, "aria-label": label });
  slider.addEventListener("input", () => changed(low * (high / low) ** (slider.value / 1000)));
  slider.show = (value) => {
    slider.value = Math.round((1000 * Math.log(value / low)) / Math.log(high / low));
    slider.setAttribute("aria-valuetext", figure(value, 4));
  };
  return slider;
}

/** Rows of a name, a number and a bar; the first is the best. */
class CostRows {
  constructor() {
    this.element = make("div", { class: "costs" });
  }

  draw(rows, proved) {
    const most = Math.max(...rows.map((row) => row.value), 1e-300);
    this.element.replaceChildren(...rows.map((row, k) => {
      const note = k ? more(rows[0].value, row.value) : proved ? "proved optimal" : "";
      const bar = make("div", { class: k ? "cost" : proved ? "cost best proved" : "cost best" });
      bar.style.width = `${clamp((100 * row.value) / most, 0.5, 100)}%`;
      const words = make("div", { class: "row" }, make("span", {}, row.name), make("span", { class: k || !proved ? "muted" : "green" }, note),
        make("b", {}, row.text ?? figure(row.value)));
      return make("div", {}, words, bar);
    }));
  }
}

/** The name of the range an epsilon is in. */
function strength(epsilon) {
  if (epsilon <= 0.1) return "very strong";
  if (epsilon <= 1.1) return "strong";
  if (epsilon <= 2.2) return "moderate";
  return epsilon <= 5 ? "weak" : "hardly any";
}

/** What an epsilon means, in two sentences. */
function meaning(epsilon) {
  const factor = Math.exp(epsilon), won = (100 * factor) / (1 + factor);
  const most = `One person changes the probability of any release by a factor of at most ${figure(factor, 3)}.`;
  return `${most} If rows are independent, a 50 : 50 bet on your row wins at most ${figure(Math.ceil(won * 10) / 10, 3)} times in 100.`;
}

/** The card that sets epsilon: a slider, a field and chips. */
class PrivacyCard {
  constructor(changed) {
    this.slider = logSlider("Privacy level epsilon", 0.01, 10, changed);
    this.word = make("b", {});
    this.field = make("input", { type: "text", inputmode: "decimal", size: 8, "aria-label": "Epsilon" });
    this.problem = make("p", { class: "problem", role: "alert", hidden: true });
    this.field.addEventListener("change", () => {
      const value = Number(this.field.value.replace(",", "."));
      const good = Number.isFinite(value) && value >= 0.01 && value <= 10;
      this.problem.hidden = good;
      this.problem.textContent = good ? "" : `Epsilon must be from 0.01 to 10 here, got ${this.field.value.slice(0, 20) || "nothing"}.`;
      if (good) changed(value);
    });
    const chips = [["0.1", 0.1], ["ln 2", Math.LN2], ["1", 1], ["ln 3", Math.log(3)]].map(([text, value]) =>
      make("button", { type: "button", class: "chip", onclick: () => changed(value), "data-value": value }, text));
    this.chips = chips;
    this.words = make("p", { class: "muted" });
    const ends = make("div", { class: "row muted" }, make("span", {}, "← private"), this.word, make("span", {}, "accurate →"));
    const field = make("div", { class: "chips" }, make("label", {}, "ε ", this.field), ...chips);
    this.element = card("privacy", "How private", "ε", this.slider, ends, field, this.problem, this.words);
  }

  show(epsilon) {
    this.slider.show(epsilon);
    if (document.activeElement !== this.field) this.field.value = figure(epsilon, 6);
    this.problem.hidden = true;
    this.word.textContent = strength(epsilon);
    this.words.textContent = meaning(epsilon);
    for (const chip of this.chips) {
      chip.setAttribute("aria-pressed", String(Math.abs(Number(chip.dataset.value) - epsilon) < 1e-9 * epsilon));
    }
  }
}

/** A uniform number in [0, 1) from the browser's generator. */
function uniform() {
  const words = crypto.getRandomValues(new Uint32Array(2));
  return (words[0] * 2 ** 21 + (words[1] >>> 11)) / 2 ** 53;
}

/** The place drawn from probabilities. */
function drawn(chances) {
  let rest = uniform() * sum(chances);
  for (let k = 0; k < chances.length; k++) {
    rest -= chances[k];
    if (rest < 0) return k;
  }
  return chances.length - 1;
}
