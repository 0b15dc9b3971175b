import { type Routes, read, wait, write } from '../../verbs/route.ts';
import { claimWhenOpen, runnerStatus } from './domain.ts';
import { claimNext, reportEnd } from './run-end.ts';

export const runnerRoutes = {
  'runner.status': read(runnerStatus),
  'runner.claim': wait(claimWhenOpen),
  'runner.end': write(reportEnd, { besides: claimNext }),
} satisfies Partial<Routes>;
