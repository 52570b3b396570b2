// Noise for one real answer: the staircase and Laplace densities with the same epsilon, and what they cost.
"use strict";

/** Expected |x| or x² of staircase noise: the sums over all steps in closed form. */
function staircaseCost(epsilon, sensitivity, gamma, power) {
  const b = Math.exp(-epsilon), height = (1 - b) / (2 * sensitivity * (gamma + b * (1 - gamma)));
  const s0 = 1 / (1 - b), s1 = b / (1 - b) ** 2, s2 = (b * (1 + b)) / (1 - b) ** 3;
  const high = power === 1 ? s1 * gamma + (s0 * gamma ** 2) / 2 : s2 * gamma + s1 * gamma ** 2 + (s0 * gamma ** 3) / 3;
  const low = power === 1 ? s1 * (1 - gamma) + (s0 * (1 - gamma ** 2)) / 2 : s2 * (1 - gamma) + s1 * (1 - gamma ** 2) + (s0 * (1 - gamma ** 3)) / 3;
  return 2 * height * sensitivity ** (power + 1) * (high + b * low);
}

/** The step that costs least: in closed form for |x|, by golden section for x². */
function bestGamma(epsilon, power) {
  if (power === 1) return 1 / (1 + Math.exp(epsilon / 2));
  let low = 0, high = 1;
  const golden = (Math.sqrt(5) - 1) / 2;
  for (let k = 0; k < 90; k++) {
    const first = high - golden * (high - low), second = low + golden * (high - low);
    if (staircaseCost(epsilon, 1, first, power) <= staircaseCost(epsilon, 1, second, power)) high = second;
    else low = first;
  }
  return (low + high) / 2;
}

dpdesigner.noise = ({ epsilon, sensitivity, gamma, power }) => {
  const step = gamma ?? bestGamma(epsilon, power);
  return { gamma: step, staircase: staircaseCost(epsilon, sensitivity, step, power), laplace: power === 1 ? sensitivity / epsilon : 2 * (sensitivity / epsilon) ** 2 };
};

live.noise = function (data, changed) {
  const start = () => ({ epsilon: data.epsilon, sensitivity: data.sensitivity, gamma: data.best ? null : data.gamma, power: data.power });
  let state = start(), x = null;
  const same = () => Object.entries(start()).every(([key, value]) => state[key] === value);
  const solved = () => {
    const found = dpdesigner.noise(state);
    return same() ? { ...found, gamma: data.gamma, staircase: data.cost, laplace: data.laplace } : found;
  };

  const field = make("input", { type: "text", inputmode: "decimal", size: 8, "aria-label": "Sensitivity" });
  const problem = make("p", { class: "problem", role: "alert", hidden: true });
  field.addEventListener("change", () => {
    const value = Number(field.value.replace(",", "."));
    const good = Number.isFinite(value) && value > 0 && value < 1e9;
    problem.hidden = good;
    problem.textContent = good ? "" : `The sensitivity must be a positive number, got ${field.value.slice(0, 20) || "nothing"}.`;
    if (good) { state.sensitivity = value; update(); }
  });
  const query = card("query", "What you ask", "sensitivity Δ", make("p", { class: "muted" }, "One person changes the answer by at most Δ."),
    make("label", {}, "Δ ", field), problem);
  const powers = [["|x|", 1], ["x²", 2]].map(([text, power]) => {
    const input = make("input", { type: "radio", name: `cost-${data.key}`, value: power, onchange: () => { state.power = power; update(); } });
    return make("label", { class: "choice" }, input, make("span", {}, text));
  });
  const lossCard = card("loss", "Cost of an error", "cost", make("div", { class: "choices", role: "radiogroup" }, ...powers));
  const privacy = new PrivacyCard((epsilon) => { state.epsilon = epsilon; update(); });

  const density = new Curves("Density of the noise", 190, false);
  const release = make("p", { role: "status" });
  const gamma = make("input", { type: "range", min: 1, max: 999, "aria-label": "Step gamma" });
  gamma.addEventListener("input", () => { state.gamma = gamma.value / 1000; update(); });
  const gammaWords = make("p", { class: "muted" });
  const best = make("button", { type: "button", onclick: () => { state.gamma = null; update(); } }, "Best γ");
  const once = make("button", { type: "button", onclick: () => { x = draw(); show(); } }, "Draw once");
  const picture = card("density", "The noise", "solid: staircase · dashed: Laplace", density.svg, release, make("div", { class: "chips" }, once),
    make("h3", {}, "Where the step is"), gamma, gammaWords, best);
  const costs = new CostRows();
  const costCard = card("cost", "Accuracy", "expected cost", costs.element);
  const ratio = new Curves("Cost of Laplace noise over that of the staircase, against epsilon", 150, true,
    (epsilon) => { state.epsilon = Number(epsilon.toPrecision(4)); update(); });
  const ratioCard = card("curve", "Laplace over staircase", "drag the line", ratio.svg);
  const element = make("div", { class: "columns" }, make("div", { class: "column" }, query, lossCard, privacy.element),
    make("div", { class: "column" }, picture), make("div", { class: "column" }, costCard, ratioCard));

  function draw() {
    const { gamma: step } = solved(), b = Math.exp(-state.epsilon);
    const shell = Math.floor(Math.log(1 - uniform()) / -state.epsilon), inner = uniform() < step / (step + (1 - step) * b);
    const away = inner ? uniform() * step : step + uniform() * (1 - step);
    return (uniform() < 0.5 ? -1 : 1) * (shell + away) * state.sensitivity;
  }

  function update() {
    x = null;
    show();
    changed();
  }

  function show() {
    const found = solved(), b = Math.exp(-state.epsilon), wide = Math.max(3, Math.min(5 / state.epsilon, 60)) * state.sensitivity;
    field.value = document.activeElement === field ? field.value : figure(state.sensitivity, 6);
    for (const choice of powers) choice.firstChild.checked = Number(choice.firstChild.value) === state.power;
    privacy.show(state.epsilon);
    const height = (1 - b) / (2 * state.sensitivity * (found.gamma + b * (1 - found.gamma)));
    const stairs = { x: [], y: [], kind: "best" };
    const steps = Math.ceil(wide / state.sensitivity) + 1;
    for (let k = -steps; k < steps; k++) {
      const level = height * b ** (k >= 0 ? k : -k - 1), ends = k >= 0 ? [k, k + found.gamma, k + 1] : [k, k + 1 - found.gamma, k + 1];
      const levels = k >= 0 ? [level, level * b] : [level * b, level];
      for (const part of [0, 1]) {
        for (const end of [ends[part], ends[part + 1]]) {
          stairs.x.push(clamp(end * state.sensitivity, -wide, wide));
          stairs.y.push(levels[part]);
        }
      }
    }
    const xs = Array.from({ length: 121 }, (_, k) => -wide + (wide * k) / 60);
    const laplace = { x: xs, y: xs.map((at) => (state.epsilon / (2 * state.sensitivity)) * Math.exp((-state.epsilon * Math.abs(at)) / state.sensitivity)), kind: "rival" };
    density.draw([laplace, stairs], { low: -wide, high: wide, marks: [-wide, 0, wide], top: Math.max(height, laplace.y[60]) * 1.05, at: x === null ? null : clamp(x, -wide, wide),
      words: x === null ? "" : `noise ${figure(x, 3)}` });
    release.textContent = x === null ? "Noise is added to the true answer." : `Noise ${figure(x, 4)}, drawn in this browser for illustration.`;
    gamma.value = Math.round(1000 * found.gamma);
    const least = dpdesigner.noise({ ...state, gamma: null });
    gammaWords.textContent = `γ = ${figure(found.gamma, 4)}${state.gamma === null ? ", the best" : `; the best is ${figure(least.gamma, 4)}`}.`;
    best.disabled = state.gamma === null;
    const proved = same() && data.proved;
    costs.draw([{ name: "Staircase noise", value: found.staircase, text: same() ? data.costText : undefined },
      { name: "Laplace noise", value: found.laplace, text: same() ? data.laplaceText : undefined }], proved);
    const epsilons = Array.from({ length: 61 }, (_, k) => 0.01 * 1000 ** (k / 60));
    const times = epsilons.map((epsilon) => { const each = dpdesigner.noise({ ...state, epsilon }); return each.laplace / each.staircase; });
    ratio.draw([{ x: epsilons, y: times, kind: "best" }], { low: 0.01, high: 10, marks: [0.01, 0.1, 1, 10], top: Math.max(...times, 1.05), at: state.epsilon,
      dot: found.laplace / found.staircase, words: `ε = ${figure(state.epsilon, 3)}` });
  }

  update();
  return {
    element,
    proved: () => same() && data.proved,
    untouched: same,
    reset: () => { state = start(); update(); },
    line: () => `Δ = ${figure(state.sensitivity, 4)} · ${state.power === 1 ? "|x|" : "x²"} · ε = ${figure(state.epsilon, 4)}`,
    sentence: () => { const found = solved(); return ["Expected cost ", make("b", {}, same() ? data.costText : figure(found.staircase, 4)), ". Laplace noise: ", make("b", {}, more(found.staircase, found.laplace)), "."]; },
    link: () => ({ e: state.epsilon, d: state.sensitivity, g: state.gamma ?? "", l: state.power }),
    take: (link) => {
      const epsilon = Number(link.e), sensitivity = Number(link.d), power = Number(link.l), step = link.g === "" ? null : Number(link.g);
      const good = epsilon >= 0.01 && epsilon <= 10 && sensitivity > 0 && sensitivity < 1e9 && [1, 2].includes(power) && (step === null || (step > 0 && step < 1));
      if (good) { state = { epsilon, sensitivity, gamma: step, power }; update(); }
      return good;
    },
  };
};
