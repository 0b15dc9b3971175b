import { type Routes, read, wait } from '../../verbs/route.ts';
import { claimWhenOpen, runnerStatus } from './domain.ts';

export const runnerRoutes = {
  'runner.status': read(runnerStatus),
  'runner.claim': wait(claimWhenOpen),
} satisfies Partial<Routes>;
