import { type BulkAction, MAX_BULK_RUNS } from '../../contract/run-bulk.ts';
import { RunFilter, type RunRow } from '../../contract/runs.ts';
import { type Command, exactly, note, type Option, parse, readId, SERVER_HELP, say } from '../command.ts';
import { confirm } from '../confirm.ts';
import { UsageError } from '../failure.ts';
import type { RemoteShop } from '../remote-shop.ts';
import { oneLine } from '../screen.ts';
import { openSession, serverOptions } from '../session.ts';

const filterOptions = {
  task: { type: 'string' },
  status: { type: 'string' },
  'end-reason': { type: 'string' },
  'started-by': { type: 'string' },
  since: { type: 'string' },
  text: { type: 'string' },
} as const;

const FILTER_HELP: readonly Option[] = [
  ['--task ID', 'runs of one task'],
  ['--status STATUS', 'runs of this status: running, success, failed, interrupted, …'],
  ['--end-reason NAME', 'runs that ended so, such as script_error, heap or lost_runner'],
  ['--started-by WHAT', 'runs that this started, such as schedule:3, trigger:1, hook:2 or admin:1'],
  ['--since TIME', 'runs that were started then or later, such as 2026-03-01T12:00:00Z'],
  ['--text TEXT', 'runs with a message in the log that contains this text, in upper or lower case'],
];

const runsList: Command = {
  name: 'runs list',
  usage: '[--task ID] [--status STATUS] [--end-reason NAME] [--started-by WHAT] [--since TIME] [--text TEXT] [--limit N]',
  about: 'lists the runs of all tasks, newest first, and how many there are of each status',
  options: [...FILTER_HELP, ['--limit N', 'at most N runs, 1 to 100 (default 50)'], ...SERVER_HELP],
  example: 'npx backroom runs list --status success --limit 5',
  async run(args) {
    const { values, positionals } = parse(args, { ...serverOptions, ...filterOptions, limit: { type: 'string' } });
    exactly(positionals, []);
    const filter = readFilter(values);
    const limit = values.limit === undefined ? 50 : readId('--limit', values.limit);
    const { shop } = await openSession(values);
    const { counts, is_complete } = await shop.client.ai_tasks.count_runs(filter);
    for (const { id, task_name, status, end_reason, started_by, started_at } of await listed(shop.client, filter, limit)) {
      say([id, oneLine(task_name), end_reason === null ? status : `${status} (${end_reason})`, started_by, started_at].join('  '));
    }
    const parts = counts.map(({ status, count }) => `${count} ${status}`);
    note(`${parts.join(', ') || 'No run matches'}${is_complete ? '' : ', among the newest'}`);
    return 0;
  },
};

const acts: Record<BulkAction, { about: string; example: string }> = {
  cancel: {
    about: 'cancels open runs, after showing how many they are',
    example: 'npx backroom runs cancel --task 1 --status running --yes',
  },
  resume: {
    about: 'resumes interrupted runs, after showing how many they are',
    example: 'npx backroom runs resume --end-reason lost_runner --since 2026-01-01T00:00:00Z --yes',
  },
  retry: {
    about: 'starts ended runs again with the same version and parameters, after showing how many they are',
    example: 'npx backroom runs retry --task 1 --status failed --yes',
  },
  replay: {
    about: 'replays recorded runs, after showing how many they are',
    example: 'npx backroom runs replay --task 1 --status success --yes',
  },
};

function bulk(action: BulkAction): Command {
  return {
    name: `runs ${action}`,
    usage: '[--task ID] [--status STATUS] [--end-reason NAME] [--started-by WHAT] [--since TIME] [--text TEXT] [--yes]',
    ...acts[action],
    options: [...FILTER_HELP, ['--yes', 'asks no question'], ...SERVER_HELP],
    notes: [
      `At least one filter must be given. At most ${MAX_BULK_RUNS.toLocaleString('en')} runs can be meant at a time.`,
      'A refused run is named with its reason, and the exit code is then 1.',
    ],
    async run(args) {
      const { values, positionals } = parse(args, { ...serverOptions, ...filterOptions, yes: { type: 'boolean', default: false } });
      exactly(positionals, []);
      const filter = readFilter(values);
      if (Object.keys(filter).length === 0) throw new UsageError('a filter must be given, so that not all runs are meant by mistake');
      const { shop } = await openSession(values);
      const { count, is_complete } = await shop.client.ai_tasks.preview_bulk_runs({ action, filter });
      if (count === 0) {
        note(`No run to ${action}.`);
        return 0;
      }
      if (!is_complete)
        throw new UsageError(
          count < MAX_BULK_RUNS
            ? 'more logs would have to be searched than one act may; narrow the filter'
            : `more than ${count} runs match, the most at a time; narrow the filter`,
        );
      const question = `${action} ${count} ${count === 1 ? 'run' : 'runs'}?`;
      if (!values.yes && !(await confirm(question, process.stdin, process.stderr))) {
        note('Nothing was done.');
        return 1;
      }
      const { results, done } = await shop.client.ai_tasks.bulk_runs({ action, filter, expected_count: count });
      for (const { run_id, code, detail, new_run_id } of results) {
        say(
          code === null ? `${run_id}${new_run_id === null ? '' : `  run ${new_run_id}`}` : `${run_id}  ${code}: ${oneLine(detail ?? '')}`,
        );
      }
      note(`${done} of ${results.length} done`);
      return done === results.length ? 0 : 1;
    },
  };
}

export const runsCommands: readonly Command[] = [runsList, bulk('cancel'), bulk('resume'), bulk('retry'), bulk('replay')];

/** The newest matching runs. A page of a search in the logs may hold few of them, or none, although the next one holds more. */
async function listed({ ai_tasks }: RemoteShop['client'], filter: RunFilter, limit: number): Promise<RunRow[]> {
  const rows: RunRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await ai_tasks.list_all_runs({ ...filter, limit: limit - rows.length, cursor });
    rows.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && rows.length < limit);
  return rows;
}

type Values = { [Name in keyof typeof filterOptions]?: string | undefined };

function readFilter(values: Values): RunFilter {
  const given = {
    task_id: values.task === undefined ? undefined : readId('--task', values.task),
    status: values.status,
    end_reason: values['end-reason'],
    started_by: values['started-by'],
    since: values.since,
    q: values.text,
  };
  const { success, data, error } = RunFilter.safeParse(
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  );
  if (success) return data;
  const [issue] = error.issues;
  const name = String(issue?.path[0]);
  throw new UsageError(`--${name === 'q' ? 'text' : name.replace('_id', '').replaceAll('_', '-')}: ${issue?.message}`);
}
