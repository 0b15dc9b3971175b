import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { MARK } from '../../../ui/marked-text.tsx';

/** The attribute that `page.tsx` and `source.tsx` set on the parts of the page that are decided on. */
const DECIDED = 'data-decided';

export type MarksInSight = {
  count: number;
  /** The last mark of each part that is decided on was scrolled into sight, or there is none. */
  areSeen: boolean;
  show(which: 'next' | 'last'): void;
};

/** Watches which marks of a page were scrolled into sight; it looks again after each change of what the page shows. */
export function useMarksInSight(page: RefObject<HTMLElement | null>): MarksInSight {
  const seen = useRef(new WeakSet<Element>());
  const shown = useRef<Element | null>(null);
  const [state, setState] = useState({ count: 0, areSeen: false });
  useLayoutEffect(() => {
    const marks = marksOn(page.current);
    const last = marks.flatMap((own) => own.slice(-1));
    const tell = (): void => {
      const now = { count: marks.flat().length, areSeen: last.every((one) => seen.current.has(one)) };
      setState((old) => (old.count === now.count && old.areSeen === now.areSeen ? old : now));
    };
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) if (isInSight(entry)) seen.current.add(entry.target);
        tell();
      },
      { threshold: [0, 0.25, 0.5, 0.75, 1] },
    );
    for (const one of last) if (!seen.current.has(one)) observer.observe(one);
    tell();
    return () => observer.disconnect();
  });
  return {
    ...state,
    show(which) {
      const all = marksOn(page.current).flat();
      const at = shown.current ? all.indexOf(shown.current) : -1;
      const next = which === 'last' ? all.at(-1) : (all[at + 1] ?? all[0]);
      shown.current = next ?? null;
      next?.scrollIntoView({ block: 'center' });
    },
  };
}

/** The marks of each part that is decided on. */
function marksOn(page: HTMLElement | null): Element[][] {
  return [...(page?.querySelectorAll(`[${DECIDED}]`) ?? [])].map((part) => [...part.querySelectorAll(`.${MARK}`)]);
}

const LINE_PX = 8;

function isInSight({ isIntersecting, intersectionRect, boundingClientRect }: IntersectionObserverEntry): boolean {
  return isIntersecting && intersectionRect.width > 0 && intersectionRect.height >= Math.min(LINE_PX, boundingClientRect.height);
}
