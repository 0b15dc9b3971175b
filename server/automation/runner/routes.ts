import { type Routes, read, wait, write } from '../../verbs/route.ts';
import { claimWhenOpen, runnerStatus } from './domain.ts';
import { claimNext, endRun } from './run-end.ts';

export const runnerRoutes = {
  'runner.status': read(runnerStatus),
  'runner.claim': wait(claimWhenOpen),
  'runner.end': write(endRun, { besides: claimNext }),
} satisfies Partial<Routes>;
