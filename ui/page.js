// What the page does by itself: open the card of a citation, copy an answer, take documents dropped anywhere, and keep
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

  document.addEventListener("click", async (event) => {
    const button = event.target.closest(".lk-copy");
    if (!button) return;
    await navigator.clipboard.writeText(button.dataset.text);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && document.activeElement?.classList.contains("lk-card")) {
      const link = document.querySelector(`a[href$="#${document.activeElement.id}"]`);
      link?.focus();
    }
  });

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
      if (!carriesFiles(event) || event.target.closest("#lk-upload")) return;
      event.preventDefault();
      const input = document.querySelector('#lk-composer input[type="file"]');
      input.files = event.dataTransfer.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    },
    true,
  );
})();
