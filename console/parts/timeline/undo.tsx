import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { EntryUndo, UndoField } from '../../../contract/undo-entries.ts';
import { ApiError, api, once } from '../../api/client.ts';
import { permissionText } from '../../texts/permissions.ts';
import { undoEntryText as t } from '../../texts/undo-entry.ts';
import { Button } from '../../ui/button.tsx';
import { valueText } from '../../ui/change.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Tick } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PathLink } from '../../ui/path-link.tsx';
import { Problem } from '../../ui/problem.tsx';
import { queryOf } from '../queries.ts';
import { useReload } from '../reload.ts';
import { useRetryKey } from '../retry-key.ts';
import { ThreeValues } from '../three-values.tsx';
import { fieldName, useShown } from './changes.tsx';

const entryUndo = queryOf('audit_log.get_undo', api.audit_log.get_undo, { staleTime: 0, refetchInterval: false });

type Props = { entryId: number; what: string; currency: string | undefined; close(): void };

/** Takes back an edit: each field with its values before it, by it and now, of which those that were not changed since are ticked. */
export default function UndoEntry({ entryId, what, currency, close }: Props) {
  const shown = useQuery(entryUndo(entryId));
  return (
    <Dialog title={t.title(what)} close={close}>
      <Loaded query={shown} rows={4}>
        {(undo) => <Fields undo={undo} currency={currency} reread={() => shown.refetch()} close={close} />}
      </Loaded>
    </Dialog>
  );
}

type FieldsProps = { undo: EntryUndo; currency: string | undefined; reread(): Promise<unknown>; close(): void };

function Fields({ undo, currency, reread, close }: FieldsProps) {
  const { entry_id, closed, reason, run, fields, lacking, digest } = undo;
  const reload = useReload();
  const key = useRetryKey();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(fields.filter(isReady).map(({ field }) => field)));
  const [isAcknowledged, setAcknowledged] = useState(false);
  const wanted = fields.filter(({ field, state }) => canChoose(state) && chosen.has(field)).map(({ field }) => field);
  const act = useMutation({
    mutationFn: () => {
      const body = { fields: wanted, digest, ...(isAcknowledged && { warn_acknowledged: true }) };
      return api.audit_log.undo(entry_id, body, once(key.of([entry_id, body])));
    },
    async onSuccess() {
      key.spend();
      close();
      await reload('orders', 'customers', 'audit_log', 'logs');
    },
    onError: (error) => (codeOf(error) === 'plan_outdated' ? reread() : undefined),
  });
  const code = codeOf(act.error);
  if (closed !== null) {
    return (
      <>
        <p>{t.closed[closed] ?? reason}</p>
        {run === null || run.task_id === null ? null : (
          <p>
            <PathLink to={`/tasks/${run.task_id}/runs/${run.id}`}>{t.run(run.id)}</PathLink>
          </p>
        )}
      </>
    );
  }
  return (
    <>
      <p>{t.detail}</p>
      {undo.undo_of_entry_id === null ? null : <p className="muted">{t.undoOf}</p>}
      {undo.taken_back_by.length === 0 ? null : <p className="muted">{t.takenBack}</p>}
      <FieldTable fields={fields} currency={currency} chosen={chosen} turn={(field) => setChosen((before) => withTurned(before, field))} />
      {lacking.length === 0 ? null : <p>{t.lacking(lacking.map((one) => permissionText(one)).join(', '))}</p>}
      {act.error === null ? null : code === 'plan_outdated' ? <p role="alert">{t.outdated}</p> : <Problem error={act.error} />}
      {code === 'warning_not_acknowledged' || isAcknowledged ? (
        <Tick label={t.acknowledge} checked={isAcknowledged} onValue={setAcknowledged} />
      ) : null}
      <div className="dialog-acts">
        <Button kind="first" disabled={wanted.length === 0 || lacking.length > 0 || act.isPending} onClick={() => act.mutate()}>
          {t.act(wanted.length)}
        </Button>
      </div>
    </>
  );
}

type TableProps = { fields: readonly UndoField[]; currency: string | undefined; chosen: ReadonlySet<string>; turn(field: string): void };

function FieldTable({ fields, currency, chosen, turn }: TableProps) {
  const show = useShown(currency);
  const rows = fields.map((one) => ({
    key: one.field,
    head: <Choice one={one} isChosen={chosen.has(one.field)} turn={() => turn(one.field)} />,
    before: valueText(show(one.field, one.before)),
    by: valueText(show(one.field, one.after)),
    now: one.state === 'closed' ? null : valueText(show(one.field, one.now)),
  }));
  return <ThreeValues label={t.label} columns={{ ...t.columns, by: t.columns.after }} rows={rows} />;
}

type ChoiceProps = { one: UndoField; isChosen: boolean; turn(): void };

function Choice({ one: { field, state, closed, reason }, isChosen, turn }: ChoiceProps) {
  const about = useId();
  const name = fieldName(field);
  const why = closed === null ? (state === 'ready' ? null : t.states[state]) : (t.closed[closed] ?? reason);
  return (
    <>
      <label>
        <input
          type="checkbox"
          aria-label={t.choose(name)}
          aria-describedby={why === null ? undefined : about}
          checked={isChosen && canChoose(state)}
          disabled={!canChoose(state)}
          onChange={turn}
        />{' '}
        {name}
      </label>
      {why === null ? null : (
        <span id={about} className={state === 'conflict' ? 'three-values-note need' : 'three-values-note'}>
          {why}
        </span>
      )}
    </>
  );
}

const isReady = ({ state }: UndoField): boolean => state === 'ready';
const canChoose = (state: UndoField['state']): boolean => state === 'ready' || state === 'conflict';
const codeOf = (error: unknown): string | undefined => (error instanceof ApiError ? error.code : undefined);

function withTurned(chosen: ReadonlySet<string>, field: string): ReadonlySet<string> {
  const next = new Set(chosen);
  if (!next.delete(field)) next.add(field);
  return next;
}
