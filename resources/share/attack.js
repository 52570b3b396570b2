// A small reconstruction attack on a made-up column: many counts with errors, and least squares.
"use strict";

/** A generator with a seed, so that every reader sees the same questions. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Solve A x = b for a positive definite A by Cholesky. */
function cholesky(matrix, right) {
  const n = right.length, lower = Array.from({ length: n }, () => new Float64Array(n)), x = Float64Array.from(right);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = matrix[i][j];
      for (let k = 0; k < j; k++) rest -= lower[i][k] * lower[j][k];
      lower[i][j] = i === j ? Math.sqrt(rest) : rest / lower[j][j];
    }
  }
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= lower[i][k] * x[k];
    x[i] /= lower[i][i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= lower[k][i] * x[k];
    x[i] /= lower[i][i];
  }
  return x;
}

/** Guess a column of 0 and 1 from counts over random groups: least squares, rounded at a half. */
dpdesigner.attack = function ({ secret, questions, error, epsilon, seed = 1 }) {
  const n = secret.length, random = generator(seed);
  const matrix = Array.from({ length: n }, () => new Float64Array(n)), right = new Float64Array(n);
  for (let q = 0; q < questions; q++) {
    const group = secret.map(() => (random() < 0.5 ? 1 : 0)), at = random();
    const truth = sum(group.map((inside, i) => inside * secret[i]));
    const scale = epsilon ? questions / epsilon : 0;
    const noise = epsilon ? (at < 0.5 ? -1 : 1) * -scale * Math.log1p(-Math.abs(2 * at - 1)) : (2 * at - 1) * error;
    for (let i = 0; i < n; i++) {
      if (!group[i]) continue;
      right[i] += truth + noise;
      for (let k = 0; k <= i; k++) matrix[i][k] += group[k];
    }
  }
  for (let i = 0; i < n; i++) {
    matrix[i][i] += 1e-6;
    for (let k = 0; k < i; k++) matrix[k][i] = matrix[i][k];
  }
  const guess = Array.from(cholesky(matrix, right), (value) => (value >= 0.5 ? 1 : 0));
  return { guess, right: sum(guess.map((bit, i) => Number(bit === secret[i]))) };
};

live.attack = function (data, changed) {
  const start = () => ({ questions: data.questions, error: data.error, epsilon: 1, private: false });
  let state = start();
  const same = () => Object.entries(start()).every(([key, value]) => state[key] === value);
  const slider = (label, low, high, set) => {
    const input = make("input", { type: "range", min: low, max: high, "aria-label": label });
    input.addEventListener("input", () => { set(Number(input.value)); update(); });
    return input;
  };
  const questions = slider("Number of answers", 1, 512, (value) => { state.questions = value; });
  const error = slider("Largest error of an answer", 0, data.secret.length, (value) => { state.error = value / 2; });
  const questionWords = make("p", {}), errorWords = make("p", {});
  const ways = [["Bounded errors", false], ["Private answers", true]].map(([text, on]) =>
    make("button", { type: "button", class: "tab", onclick: () => { state.private = on; update(); } }, text));
  const asked = card("questions", "What is asked", "answers", questionWords, questions);
  const errors = card("error", "How wrong each answer is", "error E", make("div", { class: "tabs" }, ...ways), errorWords, error);
  const privacy = new PrivacyCard((epsilon) => { state.epsilon = epsilon; state.private = true; update(); });
  const grid = make("div", { class: "people", role: "img" });
  const told = make("p", { role: "status" });
  const people = card("people", "Who is recovered", "made-up people", grid, told,
    make("p", { class: "muted" }, "Least squares; dpdesigner has stronger attacks. The column is made up."));
  const curve = new Curves("People recovered against the number of answers", 170, false);
  const curveCard = card("curve", "More answers, more people", "share recovered", curve.svg);
  const element = make("div", { class: "columns" }, make("div", { class: "column" }, asked, errors, privacy.element), make("div", { class: "column" }, people),
    make("div", { class: "column" }, curveCard));
  const attacked = (many) => dpdesigner.attack({ secret: data.secret, questions: many, error: state.error, epsilon: state.private ? state.epsilon : 0, seed: data.seed });
  let found = null, later = 0;

  function update() {
    found = attacked(state.questions);
    const n = data.secret.length;
    questions.value = state.questions;
    questionWords.textContent = `${state.questions} counts, each over a random half of ${n} people`;
    error.value = Math.round(2 * state.error);
    error.disabled = state.private;
    ways.forEach((way, k) => way.setAttribute("aria-pressed", String(state.private === Boolean(k))));
    errorWords.textContent = state.private ? `Laplace noise, total ε = ${figure(state.epsilon, 3)}: each error is about ${figure(state.questions / state.epsilon, 3)}.` : `Each answer is wrong by at most ${figure(state.error, 3)}.`;
    privacy.show(state.epsilon);
    grid.replaceChildren(...data.secret.map((bit, i) => make("span", { class: found.guess[i] === bit ? "person found" : "person missed" }, String(bit))));
    const ones = sum(data.secret), guessing = Math.max(ones, n - ones);
    told.textContent = `${found.right} of ${n} people are recovered. Guessing ${ones * 2 > n ? 1 : 0} for everyone gets ${guessing} right.`;
    grid.setAttribute("aria-label", told.textContent);
    clearTimeout(later);
    later = setTimeout(drawCurve, 60);
    changed();
  }

  function drawCurve() {
    const x = [1, 16, 32, 64, 96, 128, 192, 256, 384, 512], n = data.secret.length;
    curve.draw([{ x, y: x.map((many) => attacked(many).right / n), kind: "best" }], { low: 0, high: 512, marks: [0, 128, 256, 384, 512], top: 1, at: Math.max(state.questions, 1),
      dot: found.right / n, words: `${state.questions} answers` });
  }

  update();
  return {
    element,
    proved: () => false,
    untouched: same,
    reset: () => { state = start(); update(); },
    line: () => `${data.secret.length} made-up people · ${state.questions} answers`,
    sentence: () => ["Recovered: ", make("b", {}, `${found.right} of ${data.secret.length}`), " people."],
    link: () => ({ q: state.questions, w: state.error, e: state.epsilon, v: Number(state.private) }),
    take: (link) => {
      const many = Number(link.q), wrong = Number(link.w), epsilon = Number(link.e);
      const good = Number.isInteger(many) && many >= 1 && many <= 512 && wrong >= 0 && wrong <= data.secret.length / 2 && epsilon >= 0.01 && epsilon <= 10 && ["0", "1"].includes(link.v);
      if (good) { state = { questions: many, error: wrong, epsilon, private: link.v === "1" }; update(); }
      return good;
    },
  };
};
