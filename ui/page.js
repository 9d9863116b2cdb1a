// What the page does by itself: open the card of a citation, copy an answer, take documents dropped anywhere, obey a few keys, and keep
// the side bar out of the way on a narrow screen.
(() => {
  "use strict";

  const narrow = matchMedia("(max-width: 768px)");

  const whenThere = (selector, act) => {
    const found = document.querySelector(selector);
    if (found) return act(found);
    const observer = new MutationObserver(() => {
      const late = document.querySelector(selector);
      if (!late) return;
      observer.disconnect();
      act(late);
    });
    observer.observe(document, { attributeFilter: ["class"], childList: true, subtree: true });
  };

  whenThere("#lk-side.open .toggle-button", (toggle) => {
    if (narrow.matches) setTimeout(() => toggle.click());
  });

  // On a narrow screen a choice in the side bar closes it again.
  document.addEventListener("click", (event) => {
    if (narrow.matches && event.target.closest('#lk-new, #lk-sessions [data-action="open"]')) {
      document.querySelector("#lk-side.open .toggle-button")?.click();
    }
  });

  const open = (card) => {
    for (let fold = card.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    card.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
    card.focus({ preventScroll: true });
    card.classList.remove("lk-lit");
    void card.offsetWidth; // restarts the highlight
    card.classList.add("lk-lit");
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href*="#e-"]');
    const card = link && document.getElementById(link.hash.slice(1));
    if (!card) return;
    event.preventDefault();
    open(card);
  });

  // Browsers lend the clipboard to safe addresses only; a page that is opened from another machine has to select.
  const copy = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest(".lk-copy");
    if (!button) return;
    await copy(button.dataset.text);
    const { copy: before, copied } = button.dataset;
    button.textContent = copied;
    setTimeout(() => (button.textContent = before), 1500);
  });

  // Opened again in this window, also by itself after the connection was lost, the page shows what it showed.
  new MutationObserver(() => {
    const open = document.querySelector('#lk-sessions [aria-current="true"]');
    if (document.querySelector("#lk-sessions button")) sessionStorage.setItem("lk-session", open?.dataset.id ?? "");
  }).observe(document.documentElement, { childList: true, subtree: true });

  // While an answer comes the chat follows it, until the reader scrolls up or unfolds something, and again once they have
  // scrolled to the end; a new question is always followed. Gradio itself would pull them down at each redraw.
  whenThere("#lk-chat .bubble-wrap", () => {
    const chat = document.querySelector("#lk-chat");
    const log = () => chat.querySelector(".bubble-wrap");
    const rest = () => log().scrollHeight - log().clientHeight - log().scrollTop;
    const newest = document.createElement("button");
    let following = true;
    let last = 0; // where the chat stood when it was looked at
    let asked = 0; // questions shown

    const show = () => {
      if (!newest.isConnected) chat.append(newest);
      newest.hidden = following || rest() < 160;
    };
    const toEnd = () => {
      following = true;
      log().scrollTop = log().scrollHeight;
      last = log().scrollTop;
      show();
    };
    const leave = () => {
      following = false;
      show();
    };
    const drawn = () => {
      const questions = chat.querySelectorAll(".user-row").length;
      if (log().scrollTop < last - 2 && rest() > 8) following = false; // moved up, and the event is still to come
      if (questions !== asked) following = true;
      asked = questions;
      if (following) toEnd();
      else show();
    };

    newest.type = "button";
    newest.className = "lk-newest";
    newest.textContent = document.querySelector('meta[name="lk-newest"]').content;
    newest.addEventListener("click", toEnd);
    chat.addEventListener("wheel", (event) => event.deltaY < 0 && leave(), { passive: true });
    chat.addEventListener("click", (event) => event.target.closest("summary, .title, a") && leave());
    chat.addEventListener(
      "scroll",
      (event) => {
        if (event.target !== log()) return;
        const top = log().scrollTop;
        if (top < last && rest() > 8) following = false;
        else if (top > last && rest() < 8) following = true;
        last = top;
        show();
      },
      true,
    );
    new MutationObserver(drawn).observe(chat, { characterData: true, childList: true, subtree: true });
    drawn();
  });

  // Keys, as the settings list them: Escape leaves a card for its citation, else it stops the turn.
  const message = () => document.querySelector("#lk-message textarea");
  document.addEventListener("keydown", (event) => {
    const at = document.activeElement;
    if (event.isComposing) return;
    if (event.key === "Escape" && at?.classList.contains("lk-card")) {
      document.querySelector(`a[href$="#${at.id}"]`)?.focus();
    } else if (event.key === "Escape" && !event.target.matches("input, .edit-textarea")) {
      document.querySelector("#lk-message .stop-button")?.click();
    } else if (event.key === "/" && !at?.matches("input, textarea")) {
      event.preventDefault();
      message()?.focus();
    } else if (event.code === "KeyO" && event.shiftKey && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      document.querySelector("#lk-new")?.click();
    }
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("#lk-new") && !narrow.matches) message()?.focus();
  });

  // Gradio says to nobody who cannot see it whether a step is unfolded.
  new MutationObserver(() => {
    for (const step of document.querySelectorAll("#lk-chat .thought-group > .title")) {
      const open = String(step.classList.contains("expanded"));
      if (step.ariaExpanded !== open) step.ariaExpanded = open;
    }
  }).observe(document.documentElement, { attributeFilter: ["class"], childList: true, subtree: true });

  // A question is edited as it was typed; Gradio offers the Markdown that shows it (ui/markdown.py, literal).
  document.addEventListener("focusin", (event) => {
    if (!event.target.matches(".edit-textarea:not([data-typed])")) return;
    event.target.dataset.typed = "";
    event.target.value = event.target.value.replace(/\\([!-/:-@[-`{-~])/g, "$1").replaceAll("\u00a0", " ");
    event.target.dispatchEvent(new Event("input", { bubbles: true }));
  });

  // The dialogue offers what can be read; Gradio, told of the kinds itself, would refuse others in words of its own.
  document.addEventListener(
    "click",
    (event) => {
      if (!event.target.matches('input[type="file"]:not([webkitdirectory])')) return;
      event.target.accept = document.querySelector('meta[name="lk-file-types"]').content;
    },
    true,
  );

  const carriesFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const mark = (on) => document.documentElement.classList.toggle("lk-dropping", on);

  document.addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    mark(true);
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) mark(false);
  });
  document.addEventListener(
    "drop",
    (event) => {
      mark(false);
      if (!carriesFiles(event)) return;
      event.preventDefault();
      const input = document.querySelector('#lk-composer input[type="file"]');
      input.files = event.dataTransfer.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    },
    true,
  );
})();
