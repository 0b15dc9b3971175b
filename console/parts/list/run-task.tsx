import { useQueries, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { ParameterDeclaration } from '../../../contract/tasks.ts';
import { api } from '../../api/client.ts';
import { countText } from '../../language/formats.ts';
import { listActsText } from '../../texts/list-acts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Tick } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SearchField } from '../../ui/toolbar.tsx';
import { declarationsOf } from '../declarations.ts';
import { ParameterForm, startValues } from '../parameter-form.tsx';
import type { RecordKind } from '../record-choices.ts';
import { foundTasks, taskRecord } from '../tasks.ts';
import './run-task.css';

const t = listActsText.run;
const MINUTE_MS = 60_000;
const TASKS_SHOWN = 20;

type Choice = { id: number; name: string; declarations: ParameterDeclaration[]; parameter: string };

type Props = { kind: RecordKind; ids: readonly number[]; close(): void };

/** Starts a task on the selected records: one that takes such. A dry run is offered first, because it shows what would happen. */
export function RunTask({ kind, ids, close }: Props) {
  const [typed, setTyped] = useState('');
  const [chosen, choose] = useState<Choice | null>(null);
  return (
    <Dialog title={t.title(countText(ids.length))} close={close}>
      {chosen ? (
        <Start ids={ids} task={chosen} back={() => choose(null)} />
      ) : (
        <>
          <SearchField label={t.find} value={typed} set={setTyped} />
          <Tasks kind={kind} typed={typed} choose={choose} />
        </>
      )}
    </Dialog>
  );
}

/** Only the declaration of a version says whether a task takes such records. */
function Tasks({ kind, typed, choose }: { kind: RecordKind; typed: string; choose(task: Choice): void }) {
  const found = useQuery(foundTasks(typed, { limit: TASKS_SHOWN }));
  const records = useQueries({ queries: (found.data ?? []).map(({ id }) => ({ ...taskRecord(id), staleTime: MINUTE_MS })) });
  if (found.error) return <Problem error={found.error} retry={() => void found.refetch()} />;
  const failed = records.find(({ error }) => error);
  if (failed) return <Problem error={failed.error} retry={() => void failed.refetch()} />;
  if (found.isPending || records.some(({ isPending }) => isPending)) return <Skeleton rows={3} />;
  const choices = records.flatMap(({ data }): Choice[] => {
    const version = data?.value.current_version;
    const declarations = version ? declarationsOf(version) : [];
    const parameter = declarations.find((one) => one.kind === kind)?.name;
    return data && parameter !== undefined ? [{ id: data.value.task.id, name: data.value.task.name, declarations, parameter }] : [];
  });
  if (choices.length === 0) return <p className="muted">{typed === '' ? t.none(kind) : t.noneFound}</p>;
  return (
    <ul className="task-choices">
      {choices.map((choice) => (
        <li key={choice.id}>
          <Button onClick={() => choose(choice)}>{choice.name}</Button>
        </li>
      ))}
    </ul>
  );
}

function Start({ ids, task, back }: { ids: readonly number[]; task: Choice; back(): void }) {
  const { history } = useRouter();
  const [isDry, setDry] = useState(true);
  return (
    <>
      <p>{t.chosen(task.name, countText(ids.length))}</p>
      <ParameterForm
        label={task.name}
        declarations={task.declarations}
        given={{ ...startValues(task.declarations), [task.parameter]: [...ids] }}
        submit={isDry ? t.dry : t.live}
        send={(parameters, options) => api.ai_tasks.start_run(task.id, { parameters, dry_run: isDry }, options)}
        onDone={({ run_id }) => history.push(`/tasks/${task.id}/runs/${run_id}`)}
        acts={
          <Button kind="quiet" onClick={back}>
            {t.other}
          </Button>
        }
      >
        <Tick label={t.dryFirst} checked={isDry} onValue={setDry} />
      </ParameterForm>
    </>
  );
}
