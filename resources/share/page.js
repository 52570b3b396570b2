// The page: one live part for each design that can be live, scenes with captions, and links to a state.
"use strict";

(function start() {
  const sections = Array.from(document.querySelectorAll("section.design")), parts = [];
  const footer = document.getElementById("scenes"), tools = document.getElementById("tools"), said = document.getElementById("said");
  let shown = 0, scene = -1, building = true, marked = true;

  shared.sections.forEach((data, k) => {
    if (!data.live) { parts.push(null); return; }
    const part = live[data.live.kind]({ ...data.live, key: k }, () => { if (!building) { scene = Math.max(scene, -1); refresh(); } });
    parts.push(part);
    const still = sections[k].querySelector(".still");
    still.hidden = true;
    sections[k].append(part.element);
  });
  building = false;

  const back = make("button", { type: "button", onclick: () => { parts[shown].reset(); marked = true; said.textContent = ""; refresh(); } }, "Back to the proved design");
  const copy = make("button", { type: "button", onclick: copyLink }, "Copy link to this state");
  const tabs = sections.length > 1
    ? sections.map((section, k) => make("button", { type: "button", class: "tab", onclick: () => { scene = -1; open(k); } }, section.dataset.title))
    : [];
  tools.append(make("nav", { class: "tabs", "aria-label": "Designs" }, ...tabs), make("span", { class: "chips" }, back, copy));
  tools.hidden = false;

  function open(k) {
    shown = k;
    sections.forEach((section, place) => { section.hidden = place !== k; });
    refresh();
  }

  function refresh() {
    const part = parts[shown], section = sections[shown];
    tabs.forEach((tab, k) => tab.setAttribute("aria-pressed", String(k === shown)));
    back.hidden = part === null || part.untouched();
    copy.hidden = part === null;
    if (part !== null) {
      section.querySelector(".line").textContent = part.line();
      section.querySelector(".sentence").replaceChildren(...part.sentence());
      const badge = section.querySelector(".badge"), proved = part.proved();
      badge.textContent = proved ? "✓ proved by dpdesigner" : "for illustration";
      badge.className = proved ? "badge proved" : "badge";
      section.classList.toggle("illustrated", !proved);
    }
    const current = shared.scenes[scene];
    document.querySelectorAll(".card.lit").forEach((element) => element.classList.remove("lit"));
    if (shared.scenes.length) showScene(current);
  }

  // Scenes -------------------------------------------------------------------------------------------------------------
  const previous = make("button", { type: "button", onclick: () => go(scene - 1) }, "Previous");
  const next = make("button", { type: "button", class: "strong", onclick: () => go(scene + 1) }, "Next");
  const title = make("b", {}), place = make("span", { class: "muted" }), caption = make("p", {});
  if (shared.scenes.length) {
    footer.replaceChildren(previous, make("div", { class: "words", "aria-live": "polite" }, make("div", {}, title, " ", place), caption), next);
    footer.hidden = false;
    document.body.classList.add("with-scenes");
  }

  function showScene(current) {
    const many = shared.scenes.length, last = scene === many;
    title.textContent = last ? "Now yours" : current ? current.title : "";
    const part = parts[shown], changed = current && part !== null && !part.untouched();
    place.textContent = last || !current ? "" : `Scene ${scene + 1} of ${many}${changed ? " · you changed the design" : ""}`;
    caption.textContent = last ? "Drag the bars, choose a loss, set epsilon." : current ? current.text : "Step through the scenes, or change the design.";
    caption.className = changed ? "muted" : "";
    previous.disabled = scene <= 0;
    next.disabled = last;
    for (const key of current?.lit ?? []) {
      for (const element of sections[shown].querySelectorAll(`[data-card="${key}"]`)) element.classList.add("lit");
    }
  }

  function go(wanted) {
    const many = shared.scenes.length;
    scene = clamp(wanted, 0, many);
    said.textContent = "";
    const current = shared.scenes[Math.min(scene, many - 1)];
    if (parts[current.section] !== null) parts[current.section].reset(scene < many ? current.state : null);
    open(current.section);
  }

  document.addEventListener("keydown", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (!shared.scenes.length || event.altKey || event.ctrlKey || event.metaKey) return;
    if (target?.closest("input, select, textarea, summary, [role=slider]")) return;
    if (event.key === "ArrowRight") go(scene + 1);
    else if (event.key === "ArrowLeft") go(scene - 1);
  });

  // Links --------------------------------------------------------------------------------------------------------------
  function copyLink() {
    const words = new URLSearchParams({ k: shared.sections[shown].hash, ...parts[shown].link() });
    const address = `${location.href.split("#")[0]}#${words}`;
    try { history.replaceState(null, "", `#${words}`); } catch { location.hash = String(words); }
    const done = () => { said.textContent = "The link to this state is copied."; };
    const failed = () => { said.textContent = `Copy this link: ${address}`; };
    if (navigator.clipboard?.writeText) navigator.clipboard.writeText(address).then(done, failed);
    else failed();
  }

  function takeLink() {
    const fragment = location.hash.slice(1);
    if (!fragment) return;
    const link = Object.fromEntries(new URLSearchParams(fragment)), k = shared.sections.findIndex((each) => each.hash === link.k);
    if (k >= 0 && parts[k] !== null && parts[k].take(link)) { scene = -1; open(k); return; }
    said.textContent = "The link does not fit this page. The proved design is shown.";
  }

  window.addEventListener("hashchange", takeLink);
  document.body.classList.add("scripted");
  if (shared.scenes.length) go(0);
  else open(0);
  takeLink();
})();
