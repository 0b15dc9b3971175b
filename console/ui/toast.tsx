import { useEffect, useState, useSyncExternalStore } from 'react';
import { text } from '../texts/app.ts';
import { Button } from './button.tsx';
import { useShortcuts } from './shortcuts.ts';
import './toast.css';

const SHOWN_MS = 10_000;
const t = text.toast;

/** `undo` takes back what was done, and tells in a sentence how that went. */
type Told = { words: string; undo?: () => Promise<string> };
/** `id`: also of two with the same words each has a time and an act of its own. */
type Toast = Told & { id: number };
let shown: Toast | null = null;
let lastId = 0;
const listeners = new Set<() => void>();

/** Tells what was done, and offers for ten seconds to take it back. */
export function offerUndo(words: string, undo: () => Promise<string>): void {
  show({ words, undo });
}

/** Tells what was done where its own place goes with it, such as the bar of rows that are gone. */
export function tellDone(words: string): void {
  show({ words });
}

function show(told: Told | null): void {
  shown = told && { ...told, id: ++lastId };
  for (const tell of listeners) tell();
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

/** The place of the last act that can be taken back; it stands in the frame, so that another page does not end it. */
export function ToastPlace() {
  const toast = useSyncExternalStore(subscribe, () => shown);
  return <div role="status">{toast ? <ShownToast key={toast.id} toast={toast} /> : null}</div>;
}

function ShownToast({ toast }: { toast: Toast }) {
  const [isHeld, hold] = useState(false);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (isHeld || isBusy) return;
    const timer = setTimeout(() => show(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld, isBusy]);
  const { words, undo } = toast;
  function takeBack(): void {
    if (undo === undefined || isBusy) return;
    setBusy(true);
    // Something newer that is told meanwhile may be undone, too, and stays.
    const tell = (told: Told): void => {
      if (shown === toast) show(told);
    };
    undo().then(
      (told) => tell({ words: told }),
      (error: unknown) => tell({ words: t.failed(error instanceof Error ? error.message : String(error)), undo }),
    );
  }
  useShortcuts(undo ? { u: { name: t.undo, act: takeBack } } : {});
  return (
    // Who reads it or stands on its act is given the time for that.
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done by it
    <div
      className="toast"
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      <span>{isBusy ? t.busy : words}</span>
      {undo && !isBusy ? (
        <Button keys="u" onClick={takeBack}>
          {t.undo}
        </Button>
      ) : null}
    </div>
  );
}
