import { Dialog } from '@ariakit/react';
import type { ReactNode } from 'react';
import { useModal } from './shortcuts.ts';
import './dialog.css';

/** What stands over the page until it is answered or closed by Escape or the backdrop. Meanwhile keys act in it alone. */
export function Modal({ close, children }: { close(): void; children: ReactNode }) {
  useModal();
  return (
    <Dialog className="dialog" open onClose={close} backdrop={<div className="backdrop" />}>
      {children}
    </Dialog>
  );
}
