// A page that cannot be drawn is left out: its text is there.
"use strict";

document.addEventListener("error", (event) => event.target.closest?.("figure")?.remove(), true);
