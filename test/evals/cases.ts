import type { EvalCase } from './case.ts';
import { cleanUpCases } from './cases/clean-ups.ts';
import { importCases } from './cases/imports.ts';
import { refusalCases } from './cases/refusals.ts';
import { reminderCases } from './cases/reminders.ts';
import { reportCases } from './cases/reports.ts';
import { stockCases } from './cases/stock.ts';
import { taggingCases } from './cases/tagging.ts';

export const cases: readonly EvalCase[] = [
  ...[...taggingCases, ...reminderCases, ...stockCases, ...reportCases, ...importCases, ...cleanUpCases],
  ...refusalCases,
];
