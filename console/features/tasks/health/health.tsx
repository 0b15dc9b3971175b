import { useQuery } from '@tanstack/react-query';
import type { TaskHealth as Health, HealthFigures } from '../../../../contract/task-health.ts';
import { countText, dayText, durationText, percentText } from '../../../language/formats.ts';
import { healthText as t } from '../../../texts/health.ts';
import { Section } from '../../../ui/page.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { taskHealth } from '../queries.ts';
import { Chart, type Series } from './chart.tsx';
import './health.css';

/** How the runs of a task did in the last month, by version and by day; nothing where none has ended. */
export function TaskHealth({ id }: { id: number }) {
  const { data } = useQuery(taskHealth(id));
  if (!data || data.runs === 0) return null;
  const versions = data.versions.map((one): Row => ({ ...one, id: one.version_id, name: t.version(one.version) }));
  const days = data.days.map((one, n): Row => ({ ...one, id: n, name: dayText(one.day) }));
  return (
    <Section title={t.title(daysFrom(data.from, data.to).length)}>
      <Charts health={data} />
      <Figures label={t.byVersion} head={t.columns.version} rows={versions} />
      <details className="health-days">
        <summary>{t.byDay}</summary>
        <Figures label={t.byDay} head={t.columns.day} rows={days.reverse()} />
      </details>
    </Section>
  );
}

const DAY_MS = 86_400_000;
const shareText = (share: number): string => percentText(Math.round(share * 10_000));

function Charts({ health }: { health: Health }) {
  const days = daysFrom(health.from, health.to);
  const byDay = new Map(health.days.map((one) => [one.day, one]));
  const values = (pick: (one: HealthFigures) => number | null | undefined) =>
    days.map((day) => {
      const one = byDay.get(day);
      return one === undefined ? null : (pick(one) ?? null);
    });
  const one = (name: string, pick: Parameters<typeof values>[0]): Series[] => [{ name, colour: '--move', values: values(pick) }];
  const times = (pick: (one: HealthFigures) => HealthFigures['duration_ms']): Series[] => [
    { name: t.median, colour: '--move', values: values((of) => pick(of)?.p50) },
    { name: t.most(95), colour: '--need', values: values((of) => pick(of)?.p95) },
  ];
  // The oldest version was there before.
  const marks = health.versions
    .slice(0, -1)
    .flatMap(({ version, days: [first] }) => (version === null || !first ? [] : [{ at: days.indexOf(first.day), words: t.mark(version) }]));
  const { charts } = t;
  const same = { days, marks, words: t.from(dayText(health.from), dayText(health.to)), dayText };
  return (
    <div className="health-charts">
      <Chart {...same} title={charts.success} series={one(charts.success, (of) => of.success_rate)} top={1} text={shareText} />
      <Chart {...same} title={charts.duration} series={times((of) => of.duration_ms)} text={durationText} />
      {health.waiting_ms === null ? null : (
        <Chart {...same} title={charts.waiting} series={times((of) => of.waiting_ms)} text={durationText} />
      )}
      <Chart {...same} title={charts.effects} series={one(charts.effects, (of) => of.effects_per_run)} text={countText} />
      {health.tokens_per_run ? (
        <Chart {...same} title={charts.tokens} series={one(charts.tokens, (of) => of.tokens_per_run)} text={countText} />
      ) : null}
    </div>
  );
}

function daysFrom(from: string, to: string): string[] {
  const first = Date.parse(`${from}T00:00:00Z`);
  const count = Math.round((Date.parse(`${to}T00:00:00Z`) - first) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, n) => new Date(first + n * DAY_MS).toISOString().slice(0, 10));
}

type Row = HealthFigures & { id: number; name: string };

function Figures({ label, head, rows }: { label: string; head: string; rows: readonly Row[] }) {
  return (
    <Table
      label={label}
      rows={rows}
      columns={[{ name: 'name', head, cell: ({ name }) => name }, ...columns]}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
    />
  );
}

const timesText = (times: HealthFigures['duration_ms']): string =>
  times === null ? '–' : `${durationText(times.p50)} / ${durationText(times.p95)}`;
const meanText = (mean: number | null): string => (mean === null ? '–' : countText(mean));

const columns: Column<Row>[] = [
  { name: 'runs', head: t.columns.runs, cell: ({ runs }) => countText(runs), isNumber: true },
  {
    name: 'success',
    head: t.columns.success,
    cell: ({ success_rate }) => (success_rate === null ? '–' : shareText(success_rate)),
    isNumber: true,
  },
  { name: 'duration', head: t.columns.duration, cell: ({ duration_ms }) => timesText(duration_ms), isNumber: true },
  { name: 'waiting', head: t.columns.waiting, cell: ({ waiting_ms }) => timesText(waiting_ms), isNumber: true, isMinor: true },
  { name: 'effects', head: t.columns.effects, cell: ({ effects_per_run }) => meanText(effects_per_run), isNumber: true, isMinor: true },
  { name: 'tokens', head: t.columns.tokens, cell: ({ tokens_per_run }) => meanText(tokens_per_run), isNumber: true, isMinor: true },
];
