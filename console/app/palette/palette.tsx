import { Dialog } from '@ariakit/react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { text } from '../../texts/app.ts';
import { Key } from '../../ui/key.tsx';
import '../../ui/dialog.css';
import './palette.css';

const t = text.palette;

const load = () => import('./search.tsx');
const PaletteSearch = lazy(async () => ({ default: (await load()).PaletteSearch }));

/** Pages, records and what can be done, by name or number, from anywhere. */
export function Palette({ open, setOpen }: { open: boolean; setOpen(open: boolean): void }) {
  // What is typed before the search is loaded is what it begins with.
  const [typed, setTyped] = useState('');
  const close = (): void => {
    setTyped('');
    setOpen(false);
  };
  useEffect(() => {
    // The page that is opened comes first; whoever opens the palette finds it loaded.
    const timer = setTimeout(() => void load(), 0);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <button type="button" className="palette-button" onClick={() => setOpen(true)} aria-keyshortcuts="mod+k">
        <span>{t.open}</span>
        <Key keys="mod+k" />
      </button>
      <Dialog
        className="dialog palette"
        aria-label={t.label}
        open={open}
        onClose={close}
        backdrop={<div className="backdrop" />}
        unmountOnHide
      >
        <Suspense
          fallback={
            <input
              className="input palette-input"
              aria-label={t.label}
              placeholder={t.open}
              autoFocus
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          }
        >
          <PaletteSearch start={typed} done={close} />
        </Suspense>
      </Dialog>
    </>
  );
}
