import { useEffect, useLayoutEffect, useRef } from 'react';
import { keptChoice } from './choice.ts';
import { isTyping, keysOf } from './keys.ts';

/** What a key does. An act with a name is one that somebody may look for, so the palette offers it too. */
type Shortcut = (() => void) | { name: string; act(): void };
/** `mod+k`, `j`, `?`, or two letters one after the other: `g o`. */
export type Shortcuts = Record<string, Shortcut>;

const PAIR_WITHIN_MS = 1000;
type Layer = { current: Shortcuts; isModal?: true };
const layers: Layer[] = [];
let first: { key: string; at: number } | null = null;

/** Letters alone can be switched off (WCAG 2.1.4); combinations with Ctrl or ⌘ always act. */
const letters = keptChoice('backroom.letters');
const areLettersOn = (kept: string | null): boolean => kept !== 'off';

export function setLetters(on: boolean): void {
  letters.set(on ? null : 'off');
}

export function useLetters(): boolean {
  return areLettersOn(letters.use());
}

/** Starts to listen. The newest part of the page that knows a key has it; beneath what is modal, no part has one. */
export function startShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    const keys = keysOf(event);
    if (keys === null || event.defaultPrevented || event.isComposing) return;
    const isPlain = !keys.startsWith('mod+') && keys !== 'escape';
    // Of an editor in a shadow root the document sees the host alone; the path begins where the key was pressed.
    const target = event.composedPath()[0] ?? null;
    if (isPlain && (isTyping(target) || !areLettersOn(letters.get()))) return;
    const isPair = first !== null && event.timeStamp - first.at < PAIR_WITHIN_MS;
    const reached = layers.slice(
      Math.max(
        0,
        layers.findLastIndex(({ isModal }) => isModal),
      ),
    );
    const act = (isPair ? find(`${first?.key} ${keys}`, reached) : undefined) ?? find(keys, reached);
    first = isPlain ? { key: keys, at: event.timeStamp } : null;
    // A combination of the page does nothing under a dialog; the browser must not take it for its own. Nobody wants the page as a file.
    if (act || keys === 'mod+s' || (!isPlain && find(keys, layers))) event.preventDefault();
    act?.();
  });
}

function find(keys: string, among: readonly Layer[]): (() => void) | undefined {
  const shortcut = among.findLast((layer) => Object.hasOwn(layer.current, keys))?.current[keys];
  return typeof shortcut === 'object' ? shortcut.act : shortcut;
}

/** The acts with a name that keys have now, those of the newest part of the page first. A key that a newer part has for itself is left out. */
export function namedActs(): { keys: string; name: string; act(): void }[] {
  const held: Shortcuts = {};
  for (const { current } of layers.toReversed()) Object.assign(held, { ...current, ...held });
  return Object.entries(held).flatMap(([keys, shortcut]) =>
    // The act is looked up when it is done, because the page may have changed by then.
    typeof shortcut === 'object' ? [{ keys, name: shortcut.name, act: () => find(keys, layers)?.() }] : [],
  );
}

/** While the component is shown. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const layer = useRef(shortcuts);
  useEffect(() => {
    layer.current = shortcuts;
  });
  useEffect(() => added(layer), []);
}

/**
 * While the component is shown, keys act in it and its parts alone. It is known before its parts register theirs, because layout effects
 * come before all others.
 */
export function useModal(): void {
  useLayoutEffect(() => added({ current: {}, isModal: true }), []);
}

function added(layer: Layer): () => void {
  layers.push(layer);
  return () => {
    layers.splice(layers.indexOf(layer), 1);
  };
}
