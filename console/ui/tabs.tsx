import type { ReactNode } from 'react';
import { countText } from '../language/formats.ts';
import './tabs.css';

/** `count`: of what it shows, as a number or, where there are more, such as `500+`. */
export type TabItem<Name extends string> = { name: Name; label: string; count?: number | string | undefined };

type Props<Name extends string> = { label: string; tabs: readonly TabItem<Name>[]; open: Name; go(name: Name): void };

/** Parts of one page; which one is open stands in the address. */
export function Tabs<Name extends string>({ label, tabs, open, go }: Props<Name>) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ name, label: text, count }) => (
        <button
          key={name}
          ref={name === open ? bringIntoView : undefined}
          type="button"
          className="tab"
          aria-current={name === open ? 'page' : undefined}
          onClick={() => go(name)}
        >
          {text}
          {count === undefined ? null : <span className="muted"> {typeof count === 'number' ? countText(count) : count}</span>}
        </button>
      ))}
    </nav>
  );
}

/** As the `ref` of the open tab, or of something in it: on a narrow screen the tab may be beyond the edge of its row. */
export function bringIntoView(tab: HTMLElement | null): (() => void) | undefined {
  const row = tab?.closest('.tabs');
  if (!tab || !row) return undefined;
  const observer = new ResizeObserver(() => {
    row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
  });
  // Either may get another width: the row with the window, the tab with its font. The first call comes at once.
  for (const one of [row, tab]) observer.observe(one);
  return () => observer.disconnect();
}

/** A message of a page in one sentence, with the act that helps. `dry`: about what would be, not what is. */
export function Banner({
  tone,
  children,
  act,
}: {
  tone: 'move' | 'done' | 'fail' | 'need' | 'dry' | 'plain';
  children: ReactNode;
  act?: ReactNode;
}) {
  return (
    <div className={`banner ${tone}`}>
      <div className="banner-text">{children}</div>
      {act === undefined ? null : <div className="acts">{act}</div>}
    </div>
  );
}

/** Why the server did not do it, with the act that helps. */
export function Refusal({ children, act }: { children: ReactNode; act?: ReactNode }) {
  return (
    <div role="alert">
      <Banner tone="need" act={act}>
        {children}
      </Banner>
    </div>
  );
}
