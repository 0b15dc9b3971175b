import { Dialog } from '@ariakit/react';
import { text } from '../../texts/app.ts';
import { Key } from '../../ui/key.tsx';
import { PaletteSearch } from './search.tsx';
import '../../ui/dialog.css';
import './palette.css';

const t = text.palette;

/** Pages, records and what can be done, by name or number, from anywhere. */
export function Palette({ open, setOpen }: { open: boolean; setOpen(open: boolean): void }) {
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
        onClose={() => setOpen(false)}
        backdrop={<div className="backdrop" />}
        unmountOnHide
      >
        <PaletteSearch done={() => setOpen(false)} />
      </Dialog>
    </>
  );
}
