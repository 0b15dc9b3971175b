import { DialogHeading } from '@ariakit/react';
import { useState } from 'react';
import { useActsAsOwner } from '../../parts/shop.ts';
import { text } from '../../texts/app.ts';
import { decisionsText } from '../../texts/decisions.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Modal } from '../../ui/modal.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import './gesture.css';

const t = decisionsText.proposal;

export type Proposal = { comment: string | null };

/** What two owners decide can only be proposed; null: it is left. */
export function ProposeDialog({ end }: { end(proposal: Proposal | null): void }) {
  const isOwner = useActsAsOwner();
  const [comment, setComment] = useState('');
  const propose = (): void => end({ comment: comment.trim() === '' ? null : comment });
  useShortcuts(isOwner ? { 'mod+enter': propose } : {});
  return (
    <Modal close={() => end(null)}>
      <div className="gesture">
        <DialogHeading>{t.title}</DialogHeading>
        <p>{isOwner ? t.detail : t.ownersOnly}</p>
        {isOwner ? <TextArea label={t.comment} value={comment} onValue={setComment} maxLength={2000} /> : null}
        <div className="dialog-acts">
          <Button onClick={() => end(null)}>{text.app.cancel}</Button>
          {isOwner ? (
            <Button kind="first" keys="mod+enter" onClick={propose}>
              {t.act}
            </Button>
          ) : null}
        </div>
      </div>
    </Modal>
  );
}
