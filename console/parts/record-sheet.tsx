import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import type { CallOptions } from '../../contract/calls.ts';
import { text } from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { unreadField } from '../ui/unread.ts';
import { EditForm } from './edit-form.tsx';
import type { Steps } from './list-page.tsx';
import { recordQuery } from './queries.ts';
import { type RecordForm, rereadAs, useRecordForm } from './record-form.ts';
import { useReload } from './reload.ts';

/** How a record is made: `title` names the sheet and the form, `submit` the act. `done`: what else follows, such as to show a secret. */
export type Creation<V extends object, Made> = {
  title: string;
  submit?: string;
  start(): V;
  create(values: V, options: CallOptions): Promise<Made>;
  done?(made: Made): void;
  fields(form: RecordForm<V, unknown>): ReactNode;
  /** The resources of the API that are read again after a change. */
  resources: readonly string[];
};

/** What one kind of records is in its sheet. */
export type RecordKind<Row extends { id: number }, V extends object, Made extends { id: number } = Row> = {
  resources: readonly string[];
  /** A new one; or how it is made in a way of its own, such as an upload. */
  creation: Omit<Creation<V, Made>, 'resources' | 'fields'> | { title: string; view(done: () => void): ReactNode };
  /** The query of the record, but for its id: the operation, and what stands before the id in the path. */
  key: readonly [operation: string, ...unknown[]];
  get(id: number): Promise<Row>;
  nameOf(row: Row): string;
  valuesOf(row: Row): V;
  update(id: number, values: V, options: CallOptions, base: V): Promise<unknown>;
  fields(form: RecordForm<V, unknown>, isNew: boolean): ReactNode;
  labelOf(name: keyof V & string): string;
  /** What stands above and below the form of a known record, and beside the act that saves. `removed`: to be called once it is deleted. */
  above?(row: Row): ReactNode;
  below?(row: Row, removed: () => void): ReactNode;
  acts?(row: Row, removed: () => void): ReactNode;
};

type Place = {
  /** The record that is open; undefined: a new one. */
  id: number | undefined;
  mayChange: boolean;
  steps?: Steps;
  close(): void;
  open(id: number): void;
};

/** The sheet of a record that is open or new. */
export function recordSheet<Row extends { id: number }, V extends object, Made extends { id: number } = Row>(
  kind: RecordKind<Row, V, Made>,
  { id, open, ...place }: Place,
): ReactNode {
  if (id !== undefined) return <KnownSheet key={id} kind={kind} id={id} {...place} />;
  if (!place.mayChange) return null;
  const { creation, resources, fields } = kind;
  if ('view' in creation) return <MadeOtherwise {...creation} resources={resources} close={place.close} />;
  return (
    <NewSheet
      {...creation}
      resources={resources}
      fields={(form) => fields(form, true)}
      close={place.close}
      opened={({ id: made }) => open(made)}
    />
  );
}

type OtherProps = { title: string; view(done: () => void): ReactNode; resources: readonly string[]; close(): void };

function MadeOtherwise({ title, view, resources, close }: OtherProps) {
  const reload = useReload();
  const done = (): void => {
    void reload(...resources);
    close();
  };
  return (
    <Sheet isNew title={title} close={close}>
      {view(done)}
    </Sheet>
  );
}

type NewProps<V extends object, Made> = Creation<V, Made> & {
  close(): void;
  opened(made: Made): void;
  /** The act that adds it and begins another one. */
  another?: string;
};

/** The sheet of a new record; `opened` leads to it once it is made. */
export function NewSheet<V extends object, Made>(props: NewProps<V, Made>) {
  const [count, setCount] = useState(0);
  return (
    <Sheet key={count} isNew title={props.title} close={props.close}>
      <NewForm {...props} count={count} begin={() => setCount(count + 1)} />
    </Sheet>
  );
}

function NewForm<V extends object, Made>({
  title,
  submit,
  start,
  create,
  done,
  fields,
  resources,
  opened,
  another,
  count,
  begin,
}: NewProps<V, Made> & { count: number; begin(): void }) {
  const reload = useReload();
  const isOneOfMany = useRef(false);
  const [values] = useState(start);
  const form = useRecordForm({
    values,
    send: create,
    onSaved: (made) => {
      void reload(...resources);
      done?.(made);
      if (isOneOfMany.current) begin();
      else opened(made);
    },
  });
  const addAnother = async ({ currentTarget }: MouseEvent<HTMLButtonElement>): Promise<void> => {
    const field = currentTarget.form && unreadField(currentTarget.form);
    if (field) return field.focus();
    isOneOfMany.current = true;
    await form.save();
    isOneOfMany.current = false;
  };
  const act = another ? (
    <>
      <Button disabled={form.isSaving} onClick={(event) => void addAnother(event)}>
        {another}
      </Button>
      {count === 0 || form.isEdited ? null : (
        <span className="muted" role="status">
          {text.form.added(count)}
        </span>
      )}
    </>
  ) : null;
  return (
    <EditForm label={title} form={form} {...(submit === undefined ? {} : { submit })} acts={act} canSendUnedited>
      {fields(form)}
    </EditForm>
  );
}

type KnownProps<Row extends { id: number }, V extends object, Made extends { id: number }> = Pick<
  Place,
  'mayChange' | 'steps' | 'close'
> & {
  kind: RecordKind<Row, V, Made>;
};

function KnownSheet<Row extends { id: number }, V extends object, Made extends { id: number }>({
  id,
  steps,
  ...props
}: KnownProps<Row, V, Made> & { id: number }) {
  const { kind, close } = props;
  const record = useQuery(recordQuery([...kind.key, id], () => kind.get(id)));
  return (
    <Sheet title={record.data ? kind.nameOf(record.data.value) : text.app.loading} close={close} {...steps}>
      <Loaded query={record}>{({ value, etag }) => <KnownForm {...props} row={value} etag={etag} />}</Loaded>
    </Sheet>
  );
}

function KnownForm<Row extends { id: number }, V extends object, Made extends { id: number }>({
  kind,
  row,
  etag,
  mayChange,
  close,
}: KnownProps<Row, V, Made> & { row: Row; etag: string | undefined }) {
  const reload = useReload();
  const { id } = row;
  const { valuesOf, resources } = kind;
  const form = useRecordForm({
    values: valuesOf(row),
    etag,
    send: (values, options, base) => kind.update(id, values, options, base),
    reread: rereadAs(() => kind.get(id), valuesOf),
    // The record as it was saved then fills the form; of a secret, that empties the field.
    onSaved: () => reload(...resources),
  });
  const removed = (): void => {
    close();
    void reload(...resources);
  };
  return (
    <>
      {kind.above?.(row)}
      <EditForm label={kind.nameOf(row)} form={form} isReadOnly={!mayChange} nameOf={kind.labelOf} acts={kind.acts?.(row, removed)}>
        {kind.fields(form, false)}
      </EditForm>
      {kind.below?.(row, removed)}
    </>
  );
}
