import { DialogDismiss, DialogHeading } from '@ariakit/react';
import type { ReactNode } from 'react';
import { text } from '../texts/app.ts';
import { Button } from './button.tsx';
import { Modal } from './modal.tsx';
import { Problem } from './problem.tsx';

type Props = {
  title: string;
  /** What happens, in a sentence: how many, which, and what cannot be undone. */
  children?: ReactNode;
  act: string;
  /** The words of the way back, where "Cancel" would be mistaken for the act. */
  back?: string;
  isDanger?: boolean;
  isBusy?: boolean;
  error?: unknown;
  onAct(): void;
  close(): void;
};

/** Asks before something that cannot be undone. The focus starts on the way back. */
export function Confirm({ title, children, act, back = text.app.cancel, isDanger = false, isBusy = false, error, onAct, close }: Props) {
  return (
    <Modal close={close}>
      <DialogHeading>{title}</DialogHeading>
      {children}
      {error ? <Problem error={error} /> : null}
      <div className="dialog-acts">
        <DialogDismiss className="button plain" autoFocus>
          {back}
        </DialogDismiss>
        <Button kind={isDanger ? 'danger' : 'first'} disabled={isBusy} onClick={onAct}>
          {act}
        </Button>
      </div>
    </Modal>
  );
}
