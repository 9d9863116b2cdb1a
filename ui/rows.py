"""Lists of rows with buttons and fields, as HTML that raises one Gradio event with an action and an id."""

from html import escape

import gradio as gr

from assistant.messages import tell

# A press counts from button to same button, since the list may be drawn anew in between; a click alone would be lost.
_DISPATCH = """
const named = (event) => {
  const button = event.target.closest('button[data-action]');
  return button && { action: button.dataset.action, id: button.dataset.id || '' };
};
let pressed = null;
element.addEventListener('pointerdown', (event) => { pressed = named(event); });
element.addEventListener('pointerup', (event) => {
  const button = named(event);
  if (button && pressed && button.action === pressed.action && button.id === pressed.id) trigger('click', button);
  pressed = null;
});
element.addEventListener('click', (event) => {
  const button = event.detail === 0 && named(event);  // from the keyboard
  if (button) trigger('click', button);
});
const isField = (at) => at.matches('input[data-action]');
element.addEventListener('keydown', (event) => {
  if (!isField(event.target) || event.isComposing) return;
  if (event.key === 'Escape') event.target.value = event.target.defaultValue;
  if (event.key === 'Enter' || event.key === 'Escape') event.target.blur();
});
element.addEventListener('focusout', ({ target }) => {
  if (isField(target)) trigger('click', { action: target.dataset.action, id: target.dataset.id, text: target.value });
});
// A list that is drawn anew takes the focus with it: to the same button, to a question, or to what is there now.
let at = null;
const buttons = () => [...element.querySelectorAll('button[data-action]')];
element.addEventListener('focusin', ({ target }) => {
  at = target.matches('button[data-action]') ? { ...named({ target }), place: buttons().indexOf(target) } : null;
  if (target.matches('summary')) at = { summary: true };
});
document.addEventListener('pointerdown', ({ target }) => { if (!element.contains(target)) at = null; });
// What the reader has unfolded stays so, where they had scrolled to.
let unfolded = false;
let scrolled = 0;
element.addEventListener('click', ({ target }) => {
  const fold = target.closest('summary')?.parentElement;
  if (fold?.matches('[data-fold]')) unfolded = !fold.open;
});
element.addEventListener('scroll', ({ target }) => {
  if (target.matches?.('.lk-progress-all')) scrolled = target.scrollTop;
}, true);
new MutationObserver(() => {
  const fold = element.querySelector('[data-fold]');
  if (!fold) unfolded = false;
  if (!fold || fold.open || !unfolded) return;
  fold.open = true;
  fold.querySelector('.lk-progress-all').scrollTop = scrolled;
}).observe(element, { attributeFilter: ['open'], childList: true, subtree: true });
watch('value', () => requestAnimationFrame(() => {
  const field = element.querySelector('input[data-action]');
  if (field) return field.select();
  if (!at || document.activeElement !== document.body) return;
  if (at.summary) return element.querySelector('summary')?.focus();
  const all = buttons();
  const same = all.find(({ dataset }) => dataset.action === at.action && (dataset.id || '') === at.id);
  const asked = element.querySelector('[role="alertdialog"] button[data-action="keep"]');
  (same ?? asked ?? all[Math.min(at.place, all.length - 1)])?.focus();
}));
"""


def rows(value: str, elem_id: str) -> gr.HTML:
    """A component for such a list; its `click` brings an `EventData` with `action` and `id`, of a field also `text`."""
    return gr.HTML(value, elem_id=elem_id, js_on_load=_DISPATCH, apply_default_css=False)


def button(action: str, id: str, label: str, css: str = "", *, content: str = "", current: bool = False) -> str:
    """One button of a row; `label` is its text, or its name where `content` (trusted HTML) is given."""
    shown = content or escape(label)
    name = f' aria-label="{escape(label, quote=True)}" title="{escape(label, quote=True)}"' if content else ""
    state = ' aria-current="true"' if current else ""
    return (
        f'<button type="button" class="{css}" data-action="{action}" data-id="{escape(id, quote=True)}"{name}{state}>'
        f"{shown}</button>"
    )


def field(action: str, id: str, label: str, value: str) -> str:
    """A row to write in; it raises its event when it is left, and Escape leaves it as it was."""
    return (
        f'<input type="text" data-action="{action}" data-id="{escape(id, quote=True)}" spellcheck="false" '
        f'maxlength="120" aria-label="{escape(label, quote=True)}" value="{escape(value, quote=True)}">'
    )


def confirmation(question: str, action: str, id: str, word: str) -> str:
    """A row that asks before something big goes away; `word` is on the button that lets it go."""
    keep = button("keep", id, tell("Keep"))
    return (
        f'<div class="lk-confirm" role="alertdialog" aria-label="{escape(question, quote=True)}">'
        f"<span>{escape(question)}</span>{button(action, id, word, 'lk-danger')}{keep}</div>"
    )


def bar(share: float, label: str) -> str:
    """A progress bar; `share` is from 0 to 1."""
    percent = 100 * share
    return (
        f'<div class="lk-bar" role="progressbar" aria-label="{escape(label, quote=True)}" aria-valuemin="0" '
        f'aria-valuemax="100" aria-valuenow="{percent:.0f}"><i style="width:{percent:.1f}%"></i></div>'
    )


def icon(name: str) -> str:
    """A small line drawing as inline SVG."""
    return (
        '<svg viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.8" '
        f'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">{_PATHS[name]}</svg>'
    )


_PATHS = {
    "delete": '<path d="M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5"/>',
    "rename": '<path d="M4 20l1-4L16 5l3 3L8 19zM14 7l3 3"/>',
    "close": '<path d="M6 6l12 12M18 6L6 18"/>',
    "pause": '<path d="M9 5v14M15 5v14"/>',
    "resume": '<path d="M8 5l11 7-11 7z"/>',
    "document": '<path d="M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6"/>',
    "fact": '<circle cx="5" cy="17" r="2.5"/><circle cx="19" cy="7" r="2.5"/><path d="M7 15.6l10-7.2"/>',
    "entity": '<circle cx="12" cy="8" r="4"/><path d="M4 21c1-5 4-7 8-7s7 2 8 7"/>',
}
