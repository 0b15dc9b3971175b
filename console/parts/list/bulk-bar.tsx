import { useMutation } from '@tanstack/react-query';
import { lazyRouteComponent } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { countText } from '../../language/formats.ts';
import { listActsText as t } from '../../texts/list-acts.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { fetchAhead } from '../fetch-ahead.ts';
import type { RecordKind } from '../record-choices.ts';
import { useMay } from '../shop.ts';

const RunTask = lazyRouteComponent(() => import('./run-task.tsx'), 'RunTask');
fetchAhead(RunTask);
const FAILED_SHOWN = 20;

type Props = {
  ids: ReadonlySet<number>;
  /** As what a task takes them. */
  kind: RecordKind;
  /** How many records match, and which filters they match in words. */
  total: number;
  words: string;
  /** The ids of all that match. */
  allIds(): Promise<readonly number[]>;
  select(ids: ReadonlySet<number>): void;
  /** What can be done with them. */
  acts?: ReactNode;
  error?: Error | null;
  /** How the last act goes or went, beneath. */
  children?: ReactNode;
};

/** The bar of the selected rows: how many, what can be done with them, and all that match. */
export function BulkBar({ ids, kind, total, words, allIds, select, acts, error, children }: Props) {
  const may = useMay();
  const [isTaskAsked, askTask] = useState(false);
  const clear = (): void => select(new Set());
  useShortcuts({ escape: clear });
  const all = useMutation({ mutationFn: allIds, onSuccess: (found) => select(new Set(found)) });
  const count = countText(ids.size);
  const problem = error ?? all.error;
  return (
    <section className="bulk" aria-label={t.selected(count)}>
      <strong aria-live="polite">{t.selected(count)}</strong>
      {acts}
      {may('admin_api.ai_tasks.write') ? <Button onClick={() => askTask(true)}>{t.runTask}</Button> : null}
      <Button kind="quiet" keys="escape" onClick={clear}>
        {t.clear}
      </Button>
      {total > ids.size ? (
        <button type="button" className="link" disabled={all.isPending} onClick={() => all.mutate()}>
          {t.selectAll(countText(total), words)}
        </button>
      ) : null}
      {problem ? <Problem error={problem} /> : null}
      {children}
      {isTaskAsked ? (
        <Suspense>
          <RunTask kind={kind} ids={[...ids]} close={() => askTask(false)} />
        </Suspense>
      ) : null}
    </section>
  );
}

/** How one record of many went; `code`: why it was refused. `name`: what it is called, instead of its id. */
export type BulkResult = { id: number; name?: string; code?: string };

type OutcomeProps = {
  results: readonly BulkResult[];
  /** What was done, said where nothing else says so. */
  done?: string | undefined;
  /** The refusals in words, by their codes. */
  codes: Readonly<Record<string, string>>;
};

/** What was done, and each record that was refused. */
export function BulkOutcome({ results, done, codes }: OutcomeProps) {
  const failed = results.filter(({ code }) => code !== undefined);
  if (done === undefined && failed.length === 0) return null;
  return (
    <div role="status" className="bulk-result">
      {done === undefined ? null : <p>{done}</p>}
      {failed.length > 0 ? (
        <>
          <p className="danger-text">{t.failed(countText(failed.length))}</p>
          <ul>
            {failed.slice(0, FAILED_SHOWN).map(({ id, name, code = '' }) => (
              <li key={id}>
                {name ?? <code>{id}</code>} {codes[code] ?? code}
              </li>
            ))}
          </ul>
          {failed.length > FAILED_SHOWN ? <p>{t.more(countText(failed.length - FAILED_SHOWN))}</p> : null}
        </>
      ) : null}
    </div>
  );
}
