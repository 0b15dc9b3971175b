type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * The first field of a form whose text it could not read: a half-typed date, a number that is none. Such a text is no value, so it is not
 * in the form's values; it must not be sent without, and is lost work when it is left.
 */
export function unreadField(form: HTMLFormElement): Field | undefined {
  const fields = form.querySelectorAll<Field>('input, textarea');
  return [...fields].find(({ dataset, validity }) => dataset['unread'] !== undefined || validity.badInput);
}

/** Calls back whenever a field of the form may have become unread, or readable. */
export function watchUnread(form: HTMLFormElement, onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(form, { subtree: true, childList: true, attributeFilter: ['data-unread'] });
  return () => observer.disconnect();
}
