import { DialogHeading } from '@ariakit/react';
import type { ReactNode } from 'react';
import { text } from '../texts/app.ts';
import { Button } from './button.tsx';
import { Modal } from './modal.tsx';

/** A form or a choice over the page. Escape, the backdrop and its button close it. */
export function Dialog({ title, close, children }: { title: ReactNode; close(): void; children: ReactNode }) {
  return (
    <Modal close={close}>
      <div className="dialog-head">
        <DialogHeading>{title}</DialogHeading>
        <Button kind="quiet" keys="escape" onClick={close}>
          {text.app.close}
        </Button>
      </div>
      {children}
    </Modal>
  );
}
