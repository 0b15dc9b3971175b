import { counted, countText } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

/** How the runs of a task did. */
const english = {
  title: (days: number) => `Health in the last ${counted(days, 'day', 'days')}`,
  byVersion: 'By version',
  byDay: 'By day',
  version: (version: number | null) => (version === null ? 'Draft' : `Version ${version}`),
  mark: (version: number) => `v${version}`,
  columns: {
    version: 'Version',
    day: 'Day',
    runs: 'Runs',
    success: 'Success',
    duration: 'Duration, p50 / p95',
    waiting: 'Wait, p50 / p95',
    effects: 'Effects',
    tokens: 'Tokens',
  },
  charts: { success: 'Success', duration: 'Duration', waiting: 'Wait for a runner', effects: 'Effects per run', tokens: 'Tokens per run' },
  median: 'Half within',
  most: (share: number) => `${countText(share)} of ${countText(100)} within`,
  /** What a chart shows, for those who do not see it. */
  from: (first: string, last: string) => `from ${first} to ${last}. The table beneath has the figures.`,
};

export type HealthText = Words<typeof english>;
export const healthText = translated('health', english);
