import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TimelineEntry } from '../../../contract/timeline.ts';
import { timelineText } from '../../texts/timeline.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { adminNames } from '../admin-names.ts';
import { EditForm } from '../edit-form.tsx';
import { useRecordForm } from '../record-form.ts';
import { useReload } from '../reload.ts';
import { Remove } from '../remove.tsx';
import { useActsAsOwner, useMe } from '../shop.ts';
import { MentionField } from './mention-field.tsx';
import { nameOf, partsOf, withIds, withNames } from './mentions.ts';
import { commentRecord, comments, type TimelineOf } from './queries.ts';

const t = timelineText.comment;

type Of = { of: TimelineOf; id: number };

/** What somebody writes down about the order or customer; when it is sent, the next one can be written. */
export function NewComment(about: Of) {
  const [written, setWritten] = useState(0);
  return <Writing key={written} {...about} isNext={written > 0} onSaved={() => setWritten(written + 1)} />;
}

function Writing({ of, id, isNext, onSaved }: Of & { isNext: boolean; onSaved(): void }) {
  const reload = useReload();
  const names = useQuery(adminNames);
  const form = useRecordForm({
    values: { body: '' },
    send: ({ body }, options) => comments[of].create(id, withIds(body, names.data ?? []), options),
    onSaved: () => {
      void reload(comments[of].resource);
      onSaved();
    },
  });
  return (
    <EditForm ofPage label={t.write} form={form} submit={t.send} keys="mod+enter">
      <MentionField label={t.write} hint={t.hint} autoFocus={isNext} {...form.text('body')} />
    </EditForm>
  );
}

/** A comment with what its author, or an owner, does with it. */
export function Comment({ of, id, entry, mayChange }: Of & { entry: TimelineEntry; mayChange: boolean }) {
  const me = useMe();
  const actsAsOwner = useActsAsOwner();
  const reload = useReload();
  const [isEdited, setEdited] = useState(false);
  const author = entry.actor?.name ?? t.unknown;
  const isOwn = entry.comment?.author_id === me.id;
  const body = entry.comment?.body ?? '';
  if (isEdited) return <Edit of={of} id={id} commentId={entry.id} author={author} close={() => setEdited(false)} />;
  return (
    <>
      <p className="written timeline-comment">
        <Written text={body} />
      </p>
      {mayChange && (isOwn || actsAsOwner || of === 'customer') ? (
        <div className="acts timeline-acts">
          {isOwn ? (
            <Button kind="quiet" aria-label={t.editOf(author)} onClick={() => setEdited(true)}>
              {t.edit}
            </Button>
          ) : null}
          <Remove
            name={t.one}
            act={t.remove}
            label={t.removeOf(author)}
            kind="quiet"
            run={() => comments[of].remove(id, entry.id)}
            onDone={() => reload(comments[of].resource)}
          >
            <p className="written">
              <Written text={body} />
            </p>
          </Remove>
        </div>
      ) : null}
    </>
  );
}

type EditProps = Of & { commentId: number; author: string; close(): void };

function Edit({ of, id, commentId, author, close }: EditProps) {
  const comment = useQuery({ ...commentRecord(of, id, commentId), staleTime: 0, gcTime: 0 });
  return (
    <Loaded query={comment} rows={1}>
      {({ value, etag }) => <Editing of={of} id={id} commentId={commentId} author={author} close={close} body={value.body} etag={etag} />}
    </Loaded>
  );
}

function Editing({ of, id, commentId, author, close, body, etag }: EditProps & { body: string; etag: string | undefined }) {
  const reload = useReload();
  const names = useQuery(adminNames);
  const all = names.data ?? [];
  const form = useRecordForm({
    values: { body: withNames(body, all, t.unknown) },
    etag,
    send: (values, options) => comments[of].update(id, commentId, withIds(values.body, all), options),
    onSaved: async () => {
      await reload(comments[of].resource);
      close();
    },
  });
  return (
    <EditForm
      ofPage
      label={t.editOf(author)}
      form={form}
      keys="mod+enter"
      acts={
        <Button kind="quiet" onClick={close}>
          {t.cancel}
        </Button>
      }
    >
      <MentionField label={t.text} autoFocus {...form.text('body')} />
    </EditForm>
  );
}

/** A text with the names of those whom it mentions. */
export function Written({ text }: { text: string }) {
  const names = useQuery(adminNames);
  return partsOf(text).map((part, at) =>
    typeof part === 'string' ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name than their place
      <strong key={at} className="mention">
        @{nameOf(part, names.data ?? [], t.unknown)}
      </strong>
    ),
  );
}
