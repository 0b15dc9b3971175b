import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { type Choice, keptChoice } from './choice.ts';
import './splitter.css';

const STEP_PX = 16;

type Size = { least: number; usual: number; most: number };
type Split = Size & { size: number; kept: Choice };

/** How wide the part behind a splitter is, as this browser keeps it. */
export function useSplit(key: string, { least, usual, most }: Size): Split {
  const [kept] = useState(() => keptChoice(key));
  const chosen = Number(kept.use() ?? usual);
  const size = Number.isFinite(chosen) ? Math.round(Math.min(most, Math.max(least, chosen))) : usual;
  return { size, least, usual, most, kept };
}

/** The edge between a page and the part at its right; it is drawn, or moved by arrow keys, and a double click gives the usual width. */
export function Splitter({ label, split: { size, least, most, usual, kept } }: { label: string; split: Split }) {
  const start = useRef<{ at: number; size: number } | null>(null);
  const set = (next: number): void => kept.set(String(Math.round(Math.min(most, Math.max(least, next)))));
  const end = (): void => {
    start.current = null;
  };
  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { at: event.clientX, size };
  }
  function onKeyDown(event: KeyboardEvent): void {
    const next = { ArrowLeft: size + STEP_PX, ArrowRight: size - STEP_PX, Home: least, End: most }[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    set(next);
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr cannot be moved
    <div
      className="splitter"
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={size}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={({ clientX }) => start.current && set(start.current.size + start.current.at - clientX)}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => set(usual)}
      onKeyDown={onKeyDown}
    />
  );
}
