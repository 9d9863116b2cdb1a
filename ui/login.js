// Where a password is set: once the login has ended, one line says so and leads to the form. What was being written is
// there again afterwards.
(() => {
  "use strict";

  const KEPT = "lk-draft";
  const word = (name) => document.querySelector(`meta[name="lk-${name}"]`).content;
  const written = () => document.querySelector("#lk-message textarea");

  const line = document.createElement("p");
  line.className = "lk-ended";
  line.role = "alert";
  line.innerHTML = `${word("ended")} <a href="/login">${word("again")}</a>`;
  line.addEventListener("click", () => sessionStorage.setItem(KEPT, written()?.value ?? ""));

  const ask = window.fetch;
  window.fetch = async (...request) => {
    const answer = await ask(...request);
    const ours = new URL(answer.url, location.href).origin === location.origin;
    if (ours && answer.status === 401) document.body.prepend(line);
    else if (ours && answer.ok) line.remove();
    return answer;
  };

  const kept = sessionStorage.getItem(KEPT);
  if (!kept) return;
  const observer = new MutationObserver(() => {
    const field = written();
    if (!field) return;
    observer.disconnect();
    sessionStorage.removeItem(KEPT);
    field.value = kept;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  observer.observe(document.documentElement, { childList: true, subtree: true });
})();
