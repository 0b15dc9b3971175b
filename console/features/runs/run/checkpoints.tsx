import { useQuery } from '@tanstack/react-query';
import type { ResponseOf } from '../../../../contract/endpoint.ts';
import type { Endpoints } from '../../../../contract/index.ts';
import type { Run } from '../../../../contract/runs.ts';
import { bytesText, countText } from '../../../language/formats.ts';
import { blanks } from '../../../parts/blanks.ts';
import { Moment } from '../../../parts/values.tsx';
import { runsText } from '../../../texts/runs.ts';
import { Button } from '../../../ui/button.tsx';
import { List } from '../../../ui/list.tsx';
import { Section } from '../../../ui/page.tsx';
import type { Column } from '../../../ui/table.tsx';
import { runCheckpoints } from '../queries.ts';
import { Json } from './facts.tsx';

const t = runsText.checkpoints;
type Checkpoint = ResponseOf<Endpoints['ai_tasks.list_checkpoints']>[number];

const columns: Column<Checkpoint>[] = [
  { name: 'epoch', head: t.columns.epoch, cell: ({ epoch }) => epoch, isNumber: true },
  { name: 'at', head: t.columns.at, cell: ({ at }) => <Moment at={at} kind="second" /> },
  { name: 'size', head: t.columns.size, cell: ({ bytes }) => bytesText(bytes), isNumber: true },
  {
    name: 'after',
    head: t.columns.after,
    cell: ({ effects_after: count }) => (count === null ? <span className="muted">{t.gone}</span> : countText(count)),
    isNumber: true,
  },
  { name: 'run', head: t.columns.run, cell: ({ run_id }) => runsText.run(run_id), isMinor: true },
  { name: 'attempt', head: t.columns.attempt, cell: ({ attempt }) => attempt, isNumber: true, isMinor: true },
];

type Props = { run: Run; mayRestart: boolean; restart(checkpoint: number): void };

/** The states that the script has stored, from which an ended run starts again, and the last one itself. */
export function CheckpointsTab({ run, mayRestart, restart }: Props) {
  const act: Column<Checkpoint> = {
    name: 'act',
    head: runsText.restart.act,
    cell: ({ epoch, kept }) =>
      kept ? (
        <Button aria-label={t.restartFrom(epoch)} onClick={() => restart(epoch)}>
          {t.restart}
        </Button>
      ) : null,
  };
  const checkpoints = useQuery(runCheckpoints(run.task_id, run.id, run.status === 'running'));
  return (
    <>
      {run.last_checkpoint === null ? null : (
        <Section title={t.last}>
          <Json value={JSON.parse(run.last_checkpoint)} />
        </Section>
      )}
      <List
        label={t.label}
        query={checkpoints}
        columns={mayRestart ? [...columns, act] : columns}
        idOf={({ epoch }) => epoch}
        nameOf={({ epoch }) => String(epoch)}
        blank={blanks.ofRun}
        empty={t.none}
      />
    </>
  );
}
