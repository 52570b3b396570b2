// A count: the geometric mechanism and the best reading of each release, for any prior that the reader draws.
"use strict";

const TIE = 64 * 2 ** -53;
const LOSSES = {
  absolute: (i, r) => Math.abs(i - r),
  squared: (i, r) => (i - r) ** 2,
  "zero-one": (i, r) => Number(i !== r),
  pinball: (i, r, tau) => Math.max(tau * (i - r), (1 - tau) * (r - i)),
};

/** l(i, r), row by row. */
function lossTable(n, loss, tau) {
  if (typeof loss !== "string") return loss;
  const rows = [];
  for (let i = 0; i <= n; i++) rows.push(Float64Array.from({ length: n + 1 }, (_, r) => LOSSES[loss](i, r, tau)));
  return rows;
}

/** The best reading of a column of relative probabilities, and its expected loss. */
function reading(weights, table) {
  const n = weights.length - 1, scores = new Float64Array(n + 1);
  for (let i = 0; i <= n; i++) {
    const weight = weights[i];
    if (weight === 0) continue;
    const row = table[i];
    for (let r = 0; r <= n; r++) scores[r] += weight * row[r];
  }
  let least = Infinity;
  for (const score of scores) if (score < least) least = score;
  const best = scores.findIndex((score) => score <= least + TIE * Math.abs(least));
  return [best, least];
}

/** The prior times alpha^|i - j|, divided by its largest power, and that power: no double underflows that matters. */
function column(prior, alpha, j) {
  let nearest = prior.length;
  prior.forEach((share, i) => { if (share > 0) nearest = Math.min(nearest, Math.abs(i - j)); });
  const weights = Float64Array.from(prior, (share, i) => (share > 0 ? share * alpha ** (Math.abs(i - j) - nearest) : 0));
  return [weights, alpha ** nearest];
}

/** Laplace noise, rounded and kept within 0..n: the logarithm of the probability of j for each true count. */
function laplaceColumn(n, epsilon, j) {
  const half = epsilon / 2, inner = half + Math.log1p(-Math.exp(-epsilon)) - Math.LN2;
  return Float64Array.from({ length: n + 1 }, (_, i) => {
    const away = Math.abs(i - j);
    if (n === 0) return 0;
    if (j === 0 || j === n) return away === 0 ? Math.log1p(-Math.exp(-half) / 2) : -Math.LN2 - epsilon * (away - 0.5);
    return away === 0 ? Math.log(-Math.expm1(-half)) : inner - epsilon * away;
  });
}

/** Solve a design: {prior: weights, epsilon or alpha, loss, tau} -> {value, remap, laplace, constant}. */
dpdesigner.solve = function ({ prior, epsilon, alpha = Math.exp(-epsilon), loss, tau = 0.5 }) {
  const total = sum(prior), shares = Array.from(prior, (weight) => weight / total), n = shares.length - 1;
  const level = epsilon ?? -Math.log(alpha), table = lossTable(n, loss, tau);
  const remap = [];
  let value = 0, laplace = 0;
  for (let j = 0; j <= n; j++) {
    const scale = n === 0 ? 1 : (j === 0 || j === n ? 1 : 1 - alpha) / (1 + alpha);
    const [weights, unit] = column(shares, alpha, j);
    const [best, least] = reading(weights, table);
    remap.push(best);
    value += scale * unit * least;
    laplace += laplaceScore(shares, n, level, j, table);
  }
  return { value, remap, laplace, constant: reading(Float64Array.from(shares), table)[1] };
};

function laplaceScore(shares, n, epsilon, j, table) {
  const logs = laplaceColumn(n, epsilon, j).map((log, i) => (shares[i] > 0 ? log + Math.log(shares[i]) : -Infinity));
  const most = Math.max(...logs);
  return Math.exp(most) * reading(logs.map((log) => Math.exp(log - most)), table)[1];
}

/** Row i of the geometric mechanism within 0..n. */
function geometricRow(n, alpha, i) {
  if (n === 0) return [1];
  return Array.from({ length: n + 1 }, (_, j) => (alpha ** Math.abs(i - j) * (j === 0 || j === n ? 1 : 1 - alpha)) / (1 + alpha));
}

/** A row read by a remap. */
function remapped(row, remap) {
  const read = new Array(row.length).fill(0);
  row.forEach((chance, j) => { read[remap[j]] += chance; });
  return read;
}

const NAMES = { absolute: "Absolute", squared: "Squared", "zero-one": "0 / 1", pinball: "Pinball" };
const SHAPES = { absolute: "M4,4L20,18L36,4", squared: "M6,3Q20,32 34,3", "zero-one": "M4,5H18V18H22V5H36", pinball: "M4,12L20,18L36,3" };
/** A colour of the page as red, green and blue. */
function shade(name) {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim().slice(1);
  const parts = text.length === 3 ? [...text].map((digit) => digit + digit) : text.match(/../g);
  return parts.map((part) => parseInt(part, 16));
}

/** The colour of each probability up to the largest: from the card through blue towards the ink, fastest near zero. */
function colours(largest) {
  const mix = (one, other, part) => one.map((value, c) => value + part * (other[c] - value));
  const [card, blue, ink] = ["--card", "--blue", "--ink"].map(shade), strongest = mix(blue, ink, 0.6);
  return (chance) => {
    const at = (clamp(chance, 0, largest) / largest) ** 0.6;
    return mix(mix(card, blue, Math.min(at / 0.75, 1)), strongest, Math.max(at - 0.75, 0) / 0.25);
  };
}

live.count = function (data, changed) {
  const { n } = data;
  const start = () => ({ prior: data.prior.slice(), epsilon: data.epsilon, loss: data.loss, tau: data.tau, row: data.row, flag: null });
  let state = start(), answer = null, counts = {}, hundred = null, readAs = false, held = null, later = 0;
  const fixed = typeof data.loss !== "string";
  const table = () => (fixed ? data.loss : state.loss);
  const same = () => state.epsilon === data.epsilon && state.loss === data.loss && (state.loss !== "pinball" || state.tau === data.tau) &&
    state.prior.every((weight, k) => weight === data.prior[k]);
  const alpha = () => (state.epsilon === data.epsilon ? data.alpha : Math.exp(-state.epsilon));

  // Asked --------------------------------------------------------------------------------------------------------------
  const prior = new Bars("The reader’s prior: one bar for each count", 170, (place, share, first) => {
    if (first || held === null || held.place !== place) held = { place, others: state.prior.slice() };
    const total = sum(state.prior), rest = total - held.others[place], want = Math.min(share, n ? 1 : 0);
    const old = held.others, left = sum(old) - old[place];
    state.prior = old.map((weight, k) => (k === place ? want : left > 0 ? (weight / left) * (1 - want) : rest > 0 ? weight : (1 - want) / n));
    if (!(sum(state.prior) > 0)) state.prior = data.prior.slice();
    update(true);
  });
  const priorCard = card("prior", "The reader’s prior", "drag the bars", prior.svg);

  const choices = Object.keys(NAMES).map((name) => {
    const input = make("input", { type: "radio", name: `loss-${data.key}`, value: name, onchange: () => { state.loss = name; update(); } });
    const shape = make("svg", { viewBox: "0 0 40 22", "aria-hidden": "true" }, make("path", { class: "shape", d: SHAPES[name] }));
    return make("label", { class: "choice" }, input, shape, make("span", {}, NAMES[name]));
  });
  const tau = make("input", { type: "range", min: 1, max: 99, "aria-label": "Cost of too low against too high" });
  tau.addEventListener("input", () => { state.tau = tau.value / 100; update(); });
  const tauWords = make("p", { class: "muted" });
  const ends = make("div", { class: "row muted" }, make("span", {}, "too high costs more"), make("span", {}, "too low costs more"));
  const tauPart = make("div", { class: "stack" }, tauWords, tau, ends);
  const lossCard = fixed
    ? card("loss", "Cost of an error", "loss", make("p", {}, data.lossTitle))
    : card("loss", "Cost of an error", "loss", make("div", { class: "choices", role: "radiogroup" }, ...choices), tauPart);
  const privacy = new PrivacyCard((epsilon) => { state.epsilon = epsilon; update(); });

  // Answered -----------------------------------------------------------------------------------------------------------
  const canvas = make("canvas", { width: n + 1, height: n + 1, role: "img" });
  const pointed = make("p", { class: "pointed" });
  const tabs = [["Released", false], ["After remap", true]].map(([text, on]) =>
    make("button", { type: "button", class: "tab", onclick: () => { readAs = on; show(); } }, text));
  const numbers = make("details", {}, make("summary", {}, "Numbers"));
  numbers.addEventListener("toggle", () => showNumbers());
  const legend = make("p", { class: "muted" });
  const mechanism = card("mechanism", "The mechanism", "", canvas, legend, pointed, numbers);
  mechanism.querySelector(".head").append(make("span", { class: "tabs" }, ...tabs));
  let place = null;
  const select = (event) => {
    const box = canvas.getBoundingClientRect();
    const at = (from, size) => clamp(Math.floor(((from) / size) * (n + 1)), 0, n);
    place = at(event.clientX - box.left, box.width);
    return at(event.clientY - box.top, box.height);
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => paint());
  dragged(canvas, (event) => { state.row = select(event); state.flag = null; show(); });

  const count = make("input", { type: "range", min: 0, max: n, "aria-label": "True count" });
  count.addEventListener("input", () => { state.row = Number(count.value); state.flag = null; hundred = null; show(); changed(); });
  const countWords = make("h3", {});
  const bars = new Bars("Probability of each release", 175);
  const told = make("p", { role: "status" });
  const once = () => { state.flag = drawn(geometricRow(n, alpha(), state.row)); hundred = null; show(); };
  const many = () => {
    hundred = new Array(n + 1).fill(0);
    const row = geometricRow(n, alpha(), state.row);
    for (let k = 0; k < 100; k++) hundred[drawn(row)] += 0.01;
    state.flag = null;
    show();
  };
  const buttons = make("div", { class: "chips" }, make("button", { type: "button", onclick: once }, "Simulate once"),
    make("button", { type: "button", onclick: many }, "100 times"));
  const release = make("section", { class: "card", "data-card": "release", "aria-label": "The release" },
    make("div", { class: "head" }, countWords, count), bars.svg, told, buttons);

  const costs = new CostRows();
  const costCard = card("cost", "Accuracy", data.measure, costs.element);
  const curve = new Curves("Expected cost against epsilon", 140, true, (epsilon) => { state.epsilon = Number(epsilon.toPrecision(4)); update(); });
  const curveCard = card("curve", "Error against ε", "drag the line", curve.svg);
  const warning = make("p", { class: "note", hidden: true });

  const element = make("div", { class: "columns" }, make("div", { class: "column" }, priorCard, lossCard, privacy.element),
    make("div", { class: "column" }, mechanism, warning), make("div", { class: "column" }, release, costCard, curveCard));

  // Showing ------------------------------------------------------------------------------------------------------------
  function update(dragging = false) {
    answer = dpdesigner.solve({ prior: state.prior, epsilon: state.epsilon, alpha: alpha(), loss: table(), tau: state.tau });
    if (same()) answer.remap = data.proved ? data.remap : answer.remap;
    state.flag = null;
    hundred = null;
    if (!dragging) held = null;
    show();
    clearTimeout(later);
    if (n <= 60) drawCurve();
    else later = setTimeout(drawCurve, 150);
    changed();
  }

  function figures() {
    if (!same()) return { value: answer.value, laplace: answer.laplace, ignore: answer.constant };
    return { value: data.value, valueText: data.valueText, laplace: data.laplace, laplaceText: data.laplaceText, ignore: data.ignore, ignoreText: data.ignoreText };
  }

  function show() {
    const total = sum(state.prior), shares = state.prior.map((weight) => weight / total), proved = same() && data.proved;
    prior.draw(shares, { warm: state.row });
    for (const choice of choices) choice.firstChild.checked = choice.firstChild.value === state.loss;
    tauPart.hidden = state.loss !== "pinball";
    tau.value = Math.round(100 * state.tau);
    const ratio = state.tau / (1 - state.tau);
    tauWords.textContent = ratio >= 1 ? `Too low costs ${figure(ratio, 3)} times as much as too high.` : `Too high costs ${figure(1 / ratio, 3)} times as much as too low.`;
    privacy.show(state.epsilon);
    const row = geometricRow(n, alpha(), state.row);
    countWords.textContent = `If the true count is ${state.row}`;
    count.value = state.row;
    bars.draw(row, { warm: state.row, flag: state.flag, counts: hundred ?? {}, rows: [{ name: "read as", values: answer.remap }], name: "release" });
    if (state.flag !== null) told.textContent = `Released ${state.flag}. This reader reads it as ${answer.remap[state.flag]}.`;
    else told.textContent = hundred ? "Dots: shares of 100 releases drawn here." : `${state.row} is released with probability ${percentText(row[state.row])}.`;
    const cost = figures();
    costs.draw([{ name: "Best mechanism", value: cost.value, text: cost.valueText }, { name: "Rounded Laplace noise + remap", value: cost.laplace, text: cost.laplaceText },
      { name: "Ignoring the data", value: cost.ignore, text: cost.ignoreText }], proved);
    tabs.forEach((tab, k) => tab.setAttribute("aria-pressed", String(readAs === Boolean(k))));
    paint();
    if (numbers.open) showNumbers();
    warning.hidden = !data.differs;
    if (data.differs) warning.textContent = `This browser computes ${figure(data.differs)}. dpdesigner proved ${data.valueText}, which is shown.`;
  }

  function matrixRow(i) {
    const row = geometricRow(n, alpha(), i);
    return readAs ? remapped(row, answer.remap) : row;
  }

  function paint() {
    const context = canvas.getContext("2d"), image = context.createImageData(n + 1, n + 1);
    const rows = Array.from({ length: n + 1 }, (_, i) => matrixRow(i)), colour = colours(Math.max(...rows.map((each) => Math.max(...each))));
    for (let i = 0; i <= n; i++) {
      for (let j = 0; j <= n; j++) {
        const [red, green, blue] = colour(rows[i][j]);
        image.data.set([red, green, blue, 255], 4 * (i * (n + 1) + j));
      }
    }
    context.putImageData(image, 0, 0);
    const row = rows[state.row], j = place ?? row.indexOf(Math.max(...row));
    const words = `True count ${state.row}: ${readAs ? "read" : "released"} as ${j} with probability ${figure(row[j], 3)}.`;
    pointed.textContent = words;
    legend.textContent = `Rows: true count 0 to ${n}, from the top. Columns: ${readAs ? "read as" : "release"}. The stronger the colour, the likelier.`;
    canvas.setAttribute("aria-label", `The mechanism as a picture. ${words}`);
    place = null;
  }

  function showNumbers() {
    if (!numbers.open) return;
    const head = make("tr", {}, make("th", {}, "true count"), ...Array.from({ length: n + 1 }, (_, j) => make("th", {}, String(j))));
    const rows = Array.from({ length: n + 1 }, (_, i) => make("tr", {}, make("th", {}, String(i)), ...matrixRow(i).map((chance) => make("td", {}, chance.toFixed(4)))));
    numbers.replaceChildren(numbers.firstChild, make("div", { class: "scroll" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows))));
  }

  function drawCurve() {
    const points = n <= 30 ? 41 : n <= 60 ? 25 : 13;
    const x = Array.from({ length: points }, (_, k) => 0.01 * 1000 ** (k / (points - 1)));
    const solved = x.map((epsilon) => dpdesigner.solve({ prior: state.prior, epsilon, loss: table(), tau: state.tau }));
    const top = Math.max(...solved.map((each) => Math.max(each.value, each.laplace)), 1e-12);
    curve.draw([{ x, y: solved.map((each) => each.laplace), kind: "rival" }, { x, y: solved.map((each) => each.value), kind: "best" }],
      { low: 0.01, high: 10, marks: [0.01, 0.1, 1, 10], top, at: state.epsilon, dot: figures().value, words: `ε = ${figure(state.epsilon, 3)} · dashed: rounded Laplace` });
  }

  const checked = dpdesigner.solve({ prior: data.prior, epsilon: data.epsilon, alpha: data.alpha, loss: data.loss, tau: data.tau });
  if (Math.abs(checked.value - data.value) > 1e-9 * Math.max(1, data.value)) data.differs = checked.value;
  update();
  return {
    element,
    proved: () => same() && data.proved,
    untouched: same,
    reset: (scene) => { state = start(); Object.assign(state, scene ?? {}); readAs = Boolean(scene?.readAs); update(); },
    line: () => `n = ${n} · ε = ${figure(state.epsilon, 4)} · ${fixed ? data.lossTitle : `${NAMES[state.loss].toLowerCase()} loss`}`,
    sentence: () => {
      const cost = figures();
      return [`${data.measure[0].toUpperCase()}${data.measure.slice(1)} `, make("b", {}, cost.valueText ?? figure(cost.value, 3)), ". Rounded Laplace noise: ",
        make("b", {}, more(cost.value, cost.laplace)), ". Ignoring the data: ", make("b", {}, more(cost.value, cost.ignore)), "."];
    },
    link: () => ({ p: state.prior.map((weight) => Number(weight.toPrecision(6))).join(","), e: state.epsilon, l: fixed ? "" : state.loss, t: state.tau, i: state.row }),
    take: (link) => {
      const weights = (link.p ?? "").split(",").map(Number), epsilon = Number(link.e), row = Number(link.i), part = Number(link.t);
      const good = weights.length === n + 1 && weights.every((weight) => Number.isFinite(weight) && weight >= 0) && sum(weights) > 0 &&
        epsilon >= 0.01 && epsilon <= 10 && Number.isInteger(row) && row >= 0 && row <= n && (fixed ? !link.l : Object.hasOwn(LOSSES, link.l)) && part >= 0 && part <= 1;
      if (good) {
        const given = data.prior.every((weight, k) => Number(weight.toPrecision(6)) === weights[k]);
        state = { prior: given ? data.prior.slice() : weights, epsilon, loss: fixed ? data.loss : link.l, tau: part, row, flag: null };
        update();
      }
      return good;
    },
  };
};
