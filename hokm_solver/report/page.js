"use strict";

// Shows what is written in the page already: the play that is looked at is a row of the table of plays, and everything
// said about it stands in that row. Nothing is computed here, and nothing is loaded.
(() => {
  const root = document.documentElement;
  const data = JSON.parse(document.getElementById("data").textContent);
  const status = document.getElementById("status");
  const looked = { language: "en", deal: 0, step: 0 };

  class DealView {
    constructor(article) {
      this.article = article;
      this.says = data[article.lang];
      this.rows = [...article.querySelectorAll("tr[data-step]")];
      this.cards = new Map([...article.querySelectorAll(".card")].map((card) => [card.dataset.card, card]));
      this.last = Math.max(this.rows.length - 1, 0);
    }

    part(selector) {
      return this.article.querySelector(selector);
    }

    // The nearest mistake before (-1) or behind (1) a step; null if there is none.
    mistake(step, direction) {
      const found = this.rows.map((row, place) => (row.dataset.mistake === undefined ? null : place));
      const onward = found.filter((place) => place !== null && (place - step) * direction > 0);
      return onward.length ? onward[direction > 0 ? 0 : onward.length - 1] : null;
    }

    show(step) {
      const row = this.rows[step];
      if (!row) return;
      this.rows.forEach((each) => each.classList.toggle("current", each === row));
      this.showHands(step, row);
      this.showTrick(step, row);
      this.showWords(row);
      this.showCursor(step);
      this.showButtons(step);
    }

    showHands(step, row) {
      const values = new Map((row.dataset.values || "").split(" ").map((text) => [text.split(":")[0], text.split(":")]));
      for (const [name, card] of this.cards) {
        const played = Number(card.dataset.play || Infinity);
        card.classList.toggle("gone", played < step);
        card.classList.toggle("now", played === step);
        this.showValue(card, values.get(name), played === step);
      }
      for (const hand of this.article.querySelectorAll(".hand")) {
        hand.classList.toggle("moves", hand.dataset.hand === row.dataset.seat);
      }
    }

    showValue(card, value, now) {
      const place = card.querySelector(".value");
      place.replaceChildren();
      place.className = "value";
      if (!value) return;
      const [, margin, kind] = value;
      const [figure, result] = this.says.values[margin];
      const words = [result, this.says.says[kind === "ok" ? "best" : kind], now ? this.says.says.played : ""];
      place.classList.add(kind);
      place.append(element("span", (kind === "ok" ? "★" : "") + figure, { "aria-hidden": "true" }));
      place.append(element("span", ", " + words.filter(Boolean).join(", "), { class: "unseen" }));
    }

    showTrick(step, row) {
      const trick = this.rows.slice(0, step + 1).filter((each) => each.dataset.trick === row.dataset.trick);
      for (const slot of this.article.querySelectorAll(".slot")) {
        const play = trick.find((each) => each.dataset.seat === slot.dataset.slot);
        slot.replaceChildren();
        if (play) slot.append(this.cards.get(play.dataset.card).querySelector(".face").cloneNode(true));
        slot.classList.toggle("latest", Boolean(play) && play === row && step > 0);
        slot.classList.toggle("wins", row.dataset.winner === slot.dataset.slot);
      }
      this.part(".won").textContent = row.dataset.won;
    }

    showWords(row) {
      this.part(".step-place").textContent = row.dataset.place;
      this.part(".step-title").textContent = row.dataset.title;
      this.part(".step-said").textContent = row.dataset.said;
      this.copy(row.querySelector(".judged"), ".step-class");
      this.copy(row.querySelector(".value-list"), ".step-values");
    }

    copy(shown, selector) {
      this.part(selector).replaceChildren(...(shown ? [shown.cloneNode(true)] : []));
    }

    showCursor(step) {
      const area = this.part(`.graph [data-go="${step}"]`);
      const middle = Number(area.getAttribute("x")) + Number(area.getAttribute("width")) / 2;
      const cursor = this.part(".cursor");
      cursor.setAttribute("x1", middle);
      cursor.setAttribute("x2", middle);
      cursor.setAttribute("visibility", "visible");
    }

    showButtons(step) {
      for (const button of this.article.querySelectorAll("[data-do]")) {
        // Not `disabled`, which would take the focus away from who presses it.
        button.setAttribute("aria-disabled", String(this.target(button.dataset.do, step) === null));
      }
    }

    // The step that an action leads to from another; null if it leads nowhere.
    target(action, step) {
      const targets = {
        first: step > 0 ? 0 : null,
        back: step > 0 ? step - 1 : null,
        forward: step < this.last ? step + 1 : null,
        last: step < this.last ? this.last : null,
        "mistake-back": this.mistake(step, -1),
        "mistake-forward": this.mistake(step, 1),
      };
      return targets[action] ?? null;
    }
  }

  const views = [...document.querySelectorAll("article.deal")].map((article) => new DealView(article));

  function element(name, text, attributes) {
    const made = document.createElement(name);
    made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  function view() {
    return views.find((each) => each.article.lang === looked.language && Number(each.article.dataset.deal) === looked.deal);
  }

  function show(announce) {
    const current = view();
    for (const each of views) each.article.hidden = each !== current;
    for (const chooser of document.querySelectorAll(".chooser")) chooser.value = String(looked.deal);
    looked.step = Math.min(looked.step, current.last);
    current.show(looked.step);
    if (announce) say(current.rows[looked.step]);
    remember();
  }

  function say(row) {
    if (row) status.textContent = `${row.dataset.title}. ${row.dataset.said}`;
  }

  // The address tells what is looked at, so that it can be shared and survives a reload.
  function remember() {
    try {
      history.replaceState(null, "", `#deal=${looked.deal + 1}&play=${looked.step}&lang=${looked.language}`);
    } catch {
      // Some programs that show files have no history; nothing else depends on it.
    }
  }

  function recall() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const deals = views.length / Object.keys(data).length;
    const whole = (name, most) => Math.min(Math.max(Number.parseInt(asked.get(name), 10) || 0, 0), most);
    looked.deal = Math.max(whole("deal", deals) - 1, 0);
    looked.step = whole("play", Infinity);
    const language = asked.get("lang") || navigator.language.slice(0, 2);
    setLanguage(Object.hasOwn(data, language) ? language : "en");
  }

  function setLanguage(language) {
    looked.language = language;
    document.getElementById(`language-${language}`).checked = true;
    root.lang = language;
    root.dir = view().article.dir;
    status.lang = language;
    document.title = data[language].title;
  }

  function go(step) {
    if (step === null) return;
    looked.step = step;
    show(true);
  }

  function act(action) {
    go(view().target(action, looked.step));
  }

  function pressed(event) {
    const doing = event.target.closest("[data-do]");
    if (doing) return act(doing.dataset.do);
    const card = event.target.closest(".card");
    if (card && card.dataset.play) return go(Number(card.dataset.play));
    const going = event.target.closest("[data-go]");
    if (!going) return;
    event.preventDefault();
    go(Number(going.dataset.go));
    if (going.matches("a")) view().part(".scene").scrollIntoView({ block: "start" });
  }

  // Forward is where the language runs to: to the right in English, to the left in Persian.
  function typed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, .wide")) return;
    const forward = root.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
    const back = root.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
    const actions = { [forward]: "forward", [back]: "back", Home: "first", End: "last" };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    act(event.shiftKey && event.key.startsWith("Arrow") ? `mistake-${action}` : action);
  }

  function chosen(event) {
    if (event.target.name === "language") setLanguage(event.target.value);
    else if (event.target.matches(".chooser")) Object.assign(looked, { deal: Number(event.target.value), step: 0 });
    else return;
    show(false);
  }

  root.classList.add("scripted");
  document.addEventListener("click", pressed);
  document.addEventListener("keydown", typed);
  document.addEventListener("change", chosen);
  recall();
  show(false);
})();
