import { Dialog } from '@ariakit/react';
import { type ReactNode, useRef } from 'react';
import { useModal } from './shortcuts.ts';
import './dialog.css';

const FIELD = ':is(input, select, textarea):not([type="hidden"]):enabled';

/** What stands over the page until it is answered or closed by Escape or the backdrop. Meanwhile keys act in it alone. */
export function Modal({ close, children }: { close(): void; children: ReactNode }) {
  useModal();
  const dialog = useRef<HTMLDivElement>(null);
  // What has autoFocus keeps the focus; else the first field gets it, not the button that closes, which stands before.
  function takesDefault(): boolean {
    const shown = dialog.current;
    if (!shown) return true;
    if (shown.contains(document.activeElement) && document.activeElement !== shown) return false;
    const field = shown.querySelector('[data-autofocus]') ? null : shown.querySelector<HTMLElement>(FIELD);
    field?.focus();
    return field === null;
  }
  return (
    <Dialog ref={dialog} className="dialog" open onClose={close} autoFocusOnShow={takesDefault} backdrop={<div className="backdrop" />}>
      {children}
    </Dialog>
  );
}
