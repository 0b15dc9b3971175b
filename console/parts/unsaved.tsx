import { DialogHeading } from '@ariakit/react';
import { useBlocker } from '@tanstack/react-router';
import { session } from '../api/session.ts';
import { text } from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';

const t = text.unsaved;

/** The part of an address that names what is edited: another tab or filter of the same record leaves nothing. */
type Place = { pathname: string; search: object };
const NAMES = ['open', 'new', 'template'];
const recordOf = (search: object): string => JSON.stringify(Object.entries(search).filter(([name]) => NAMES.includes(name)));
const isElsewhere = (a: Place, b: Place): boolean => a.pathname !== b.pathname || recordOf(a.search) !== recordOf(b.search);

type Props = {
  isEdited: boolean;
  /** The form belongs to the page, not to the record that is open in a sheet beside it. */
  ofPage?: boolean;
  /** Given where the work is kept as a draft: it can be left without losing it, and a reload asks nothing. */
  draft?: { detail: string; keep: string; onDiscard(): void };
};

/** Asks before edited work is left. Who signs out is not asked. */
export function Unsaved({ isEdited, ofPage = false, draft }: Props) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isEdited && session.token() !== null && (ofPage ? current.pathname !== next.pathname : isElsewhere(current, next)),
    enableBeforeUnload: () => isEdited && draft === undefined && session.token() !== null,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Modal close={blocker.reset}>
      <DialogHeading>{t.title}</DialogHeading>
      <p>{draft?.detail ?? t.detail}</p>
      <div className="dialog-acts">
        <Button kind="first" autoFocus onClick={blocker.reset}>
          {t.stay}
        </Button>
        {draft === undefined ? null : <Button onClick={blocker.proceed}>{draft.keep}</Button>}
        <Button
          kind="danger"
          onClick={() => {
            draft?.onDiscard();
            blocker.proceed();
          }}
        >
          {t.discard}
        </Button>
      </div>
    </Modal>
  );
}
