const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** `mod+Enter` as `⌘⏎` or `Ctrl ⏎`. */
export function showKeys(keys: string): string {
  const parts = keys.split('+').map((part) => names[part] ?? part.toUpperCase());
  return parts.join(isMac ? '' : ' ');
}

const names: Record<string, string> = { mod: isMac ? '⌘' : 'Ctrl', enter: '⏎', escape: 'Esc' };

/** `mod+s`, `j` or `?` of a key press; null for a press that no shortcut has. */
export function keysOf(event: KeyboardEvent): string | null {
  if (event.altKey || (isMac ? event.ctrlKey : event.metaKey)) return null;
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const key = event.key.toLowerCase();
  return mod ? `mod+${key}` : key;
}

/** Whether letters typed there are text. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) && !isTick(target);
}

function isTick(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'radio');
}
