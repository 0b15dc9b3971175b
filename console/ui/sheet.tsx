import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { text } from '../texts/app.ts';
import { Button } from './button.tsx';
import { useShortcuts } from './shortcuts.ts';
import './sheet.css';

type Props = {
  title: ReactNode;
  /** What stands beneath the title: status, tags. */
  marks?: ReactNode;
  close(): void;
  /** To the record before or after this one in the list; null at its ends. Left out where there is no list. */
  previous?: (() => void) | null;
  next?: (() => void) | null;
  /** It makes something new: its first field takes the focus. */
  isNew?: boolean;
  children: ReactNode;
};

const FIELDS = 'input:enabled, select:enabled, textarea:enabled';

/** One record beside its list; over the whole screen where that is narrow. Escape closes it by the page's shortcuts. */
export function Sheet({ title, marks, close, previous, next, isNew = false, children }: Props) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const sheet = useRef<HTMLElement>(null);
  useEffect(() => {
    const isInside = sheet.current?.contains(document.activeElement) ?? false;
    if (isInside) return;
    const field = isNew ? sheet.current?.querySelector<HTMLElement>(FIELDS) : null;
    // Below the width of two columns the sheet covers the list, so the focus must move into it.
    if (field) field.focus();
    else if (matchMedia('(width < 1100px)').matches) heading.current?.focus();
  }, [isNew]);
  useFitted(sheet);
  return (
    <aside ref={sheet} className="sheet" aria-labelledby={id}>
      <header className="sheet-head">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <div className="sheet-acts">
          {previous === undefined ? null : <Step keys="[" label={text.sheet.previous} go={previous} />}
          {next === undefined ? null : <Step keys="]" label={text.sheet.next} go={next} />}
          <Button kind="quiet" keys="escape" onClick={close}>
            {text.app.close}
          </Button>
        </div>
        {marks ? <div className="sheet-marks">{marks}</div> : null}
      </header>
      {children}
    </aside>
  );
}

/** The end of the sheet is always in the window, however far below its top the list begins: acts that stand there stay in sight. */
function useFitted(sheet: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = sheet;
    const place = current?.parentElement;
    if (!current || !place) return;
    const fit = (): void => current.style.setProperty('--sheet-top', `${Math.max(0, place.getBoundingClientRect().top)}px`);
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(document.body);
    addEventListener('scroll', fit, { passive: true });
    addEventListener('resize', fit);
    return () => {
      observer.disconnect();
      removeEventListener('scroll', fit);
      removeEventListener('resize', fit);
    };
  }, [sheet]);
}

function Step({ keys, label, go }: { keys: string; label: string; go: (() => void) | null }) {
  useShortcuts(go === null ? {} : { [keys]: go });
  return (
    <Button kind="quiet" keys={keys} aria-label={label} title={label} disabled={go === null} onClick={go ?? undefined}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d={keys === '[' ? 'M8 2 4 6l4 4' : 'm4 2 4 4-4 4'} fill="none" stroke="currentColor" strokeWidth="1.6" />
      </svg>
    </Button>
  );
}

/** The list and, where a record is open, its sheet. */
export function WithSheet({ sheet, children }: { sheet: ReactNode; children: ReactNode }) {
  return (
    <div className={sheet === null ? 'with-sheet' : 'with-sheet open'}>
      <div className="with-sheet-list">{children}</div>
      {sheet}
    </div>
  );
}
