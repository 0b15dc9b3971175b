import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics that `/metrics` exposes, in Prometheus' text format. */
export type Metrics = {
  registry: Registry;
  requests: Histogram<'endpoint' | 'status'>;
  runsOpened: Counter;
  runsEnded: Counter<'status'>;
  claims: Counter;
  /** The health of tasks, by task and version (`labelsOf`). */
  taskRuns: Counter<'task' | 'version' | 'outcome'>;
  taskSeconds: Histogram<'task' | 'version'>;
  taskEffects: Counter<'task' | 'version'>;
  taskTokens: Counter<'task' | 'version'>;
  /** `how`: `planned` the first time; afterwards `repeated` by its statements, or `executed` by its verb. */
  dryRunWrites: Counter<'how'>;
  /** What every server measures of the shop as a whole, so all servers of a shop report the same. */
  shop: ShopGauges;
  /** 1 while this server is ready, else 0. */
  ready: Gauge;
  /** Bytes of the disk with `DATA_DIR`. */
  dataBytes: Gauge;
  dataFreeBytes: Gauge;
};

export type ShopGauges = Record<keyof typeof SHOP_GAUGES, Gauge>;

/** Name and meaning of each measurement of the shop. */
const SHOP_GAUGES = {
  queueDepth: ['backroom_queue_depth', 'Open runs that no runner has claimed'],
  queueOldestSeconds: ['backroom_queue_oldest_seconds', 'How long the oldest of these has been open; 0 where there is none'],
  openClaims: ['backroom_claims_open', 'Runs that a runner is working on'],
  runners: ['backroom_runners', 'Runners that asked for work in the last two minutes or are working on a run'],
  runnerSlots: ['backroom_runner_slots', 'Runs that these runners can work on at a time'],
  mailsDue: ['backroom_mails_due', 'Mails that are due and not sent yet; 0 in a shop without a mail account'],
} as const;

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'backroom_request_seconds',
      help: 'Time to answer a request',
      labelNames: ['endpoint', 'status'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    runsOpened: new Counter({ name: 'backroom_runs_opened_total', help: 'Runs opened, for a runner or a client', registers }),
    runsEnded: new Counter({
      name: 'backroom_runs_ended_total',
      help: 'Runs ended, by status',
      labelNames: ['status'] as const,
      registers,
    }),
    ...taskMetrics(registers),
    claims: new Counter({ name: 'backroom_claims_total', help: 'Runs handed to runners', registers }),
    dryRunWrites: new Counter({
      name: 'backroom_dry_run_writes_total',
      help: 'Writes of dry runs: planned, and later repeated by their statements or executed again',
      labelNames: ['how'] as const,
      registers,
    }),
    shop: shopGauges(registers),
    ready: new Gauge({ name: 'backroom_ready', help: '1 while this server is ready (/readyz), else 0', registers }),
    dataBytes: new Gauge({ name: 'backroom_data_bytes', help: 'Size of the disk with DATA_DIR', registers }),
    dataFreeBytes: new Gauge({ name: 'backroom_data_free_bytes', help: 'Free space on the disk with DATA_DIR', registers }),
  };
}

function taskMetrics(registers: Registry[]): Pick<Metrics, 'taskRuns' | 'taskSeconds' | 'taskEffects' | 'taskTokens'> {
  const labelNames = ['task', 'version'] as const;
  return {
    taskRuns: new Counter({
      name: 'backroom_task_runs_total',
      help: 'Runs ended, without dry runs and replays, by task, id of the version and outcome',
      labelNames: [...labelNames, 'outcome'] as const,
      registers,
    }),
    taskSeconds: new Histogram({
      name: 'backroom_task_run_seconds',
      help: 'How long these runs were at work',
      labelNames,
      buckets: [0.1, 0.5, 1, 5, 30, 120, 600, 3600],
      registers,
    }),
    taskEffects: new Counter({ name: 'backroom_task_effects_total', help: 'Writes of these runs', labelNames, registers }),
    taskTokens: new Counter({
      name: 'backroom_task_tokens_total',
      help: 'Tokens of language models that these runs used',
      labelNames,
      registers,
    }),
  };
}

/** So many tasks and versions have labels of their own: each costs Prometheus a dozen series. */
const LABELLED_MAX = 100;
const labelled = new WeakMap<Metrics, Set<string>>();

/** The first versions of which a run ends have labels of their own, all others have `other`. */
function labelsOf(metrics: Metrics, { task_id, version_id }: { task_id: number; version_id: number }): { task: string; version: string } {
  const known = labelled.get(metrics) ?? new Set<string>();
  labelled.set(metrics, known);
  const key = `${task_id}/${version_id}`;
  if (!known.has(key) && known.size >= LABELLED_MAX) return { task: 'other', version: 'other' };
  known.add(key);
  return { task: String(task_id), version: String(version_id) };
}

export function countTaskRun(
  metrics: Metrics,
  run: { task_id: number; version_id: number },
  { outcome, tookMs, effects, tokens }: { outcome: string; tookMs: number | null; effects: number; tokens: number },
): void {
  const labels = labelsOf(metrics, run);
  metrics.taskRuns.inc({ ...labels, outcome });
  if (tookMs !== null) metrics.taskSeconds.observe(labels, tookMs / 1000);
  metrics.taskEffects.inc(labels, effects);
  metrics.taskTokens.inc(labels, tokens);
}

function shopGauges(registers: Registry[]): ShopGauges {
  const gauge = (key: keyof typeof SHOP_GAUGES): Gauge => {
    const [name, help] = SHOP_GAUGES[key];
    return new Gauge({ name, help, registers });
  };
  return {
    queueDepth: gauge('queueDepth'),
    queueOldestSeconds: gauge('queueOldestSeconds'),
    openClaims: gauge('openClaims'),
    runners: gauge('runners'),
    runnerSlots: gauge('runnerSlots'),
    mailsDue: gauge('mailsDue'),
  };
}
