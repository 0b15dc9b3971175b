import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics that `/metrics` exposes, in Prometheus' text format. */
export type Metrics = {
  registry: Registry;
  requests: Histogram<'endpoint' | 'status'>;
  runsOpened: Counter;
  runsEnded: Counter<'status'>;
  claims: Counter;
  queueDepth: Gauge;
};

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
    claims: new Counter({ name: 'backroom_claims_total', help: 'Runs handed to runners', registers }),
    queueDepth: new Gauge({ name: 'backroom_queue_depth', help: 'Open runs that no runner has claimed', registers }),
  };
}
