import { lazyRouteComponent } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { editorText } from '../../../texts/editor.ts';
import { Skeleton } from '../../../ui/page.tsx';
import { Splitter, useSplit } from '../../../ui/splitter.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import type { Example } from '../queries.ts';
import { type Beside, besides } from './beside.ts';
import './dock.css';

const t = editorText.dock;

/** Both are loaded when they are first opened. */
const Reference = lazyRouteComponent(() => import('./reference.tsx'), 'Reference');
const ExampleShelf = lazyRouteComponent(() => import('./example-shelf.tsx'), 'ExampleShelf');

const [NARROW, WIDE] = [400, 560];

/** A quarter of a wide window. */
const widthIn = (window: number) => ({ least: 280, usual: Math.round(Math.min(WIDE, Math.max(NARROW, window / 4))), most: 900 });

type Props = {
  source: ReactNode;
  open: Beside;
  go(beside: Beside): void;
  counts: Partial<Record<Beside, number>>;
  /** What stands in the tabs that belong to the draft. */
  parts: Record<'plan' | 'permissions' | 'parameters', ReactNode>;
  permissions: readonly string[];
  /** Puts a piece of source where the cursor is. */
  insert(text: string): void;
  /** Makes the draft what the example is. */
  replace(example: Example): void;
  isEdited: boolean;
};

/** The source, and beside it what it may do, is asked and would change, what it can use, and examples; below it where there is no room. */
export function WithDock({ source, open, go, counts, parts, permissions, insert, replace, isEdited }: Props) {
  const desk = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLElement>(null);
  const split = useSplit('backroom.dock', widthIn(innerWidth));
  useEffect(() => {
    desk.current?.style.setProperty('--dock', `${split.size}px`);
  }, [split.size]);
  const was = useRef(open);
  useEffect(() => {
    if (was.current === open) return;
    was.current = open;
    if (body.current) body.current.scrollTop = 0;
    // Where the dock is below the source, what was opened by a key may be out of sight.
    body.current?.parentElement?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  return (
    <div ref={desk} className="desk">
      {source}
      <Splitter label={t.width} split={split} />
      <div className="dock">
        <Tabs
          label={t.label}
          tabs={besides.map((name) => ({ name, label: t.tabs[name], count: counts[name] || undefined }))}
          open={open}
          go={go}
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard */}
        <section ref={body} className={open === 'reference' ? 'dock-body filled' : 'dock-body'} aria-label={t.tabs[open]} tabIndex={0}>
          {open === 'reference' || open === 'examples' ? (
            <Suspense fallback={<Skeleton />}>
              {open === 'reference' ? (
                <Reference permissions={permissions} insert={insert} />
              ) : (
                <ExampleShelf insert={insert} replace={replace} isEdited={isEdited} />
              )}
            </Suspense>
          ) : (
            parts[open]
          )}
        </section>
      </div>
    </div>
  );
}
