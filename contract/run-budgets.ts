import { Limits, type LimitsMax } from './runner.ts';

/** The error message for a spent budget, with advice that this shop's limits permit. `limit`: the size of the budget, as text. */
export function budgetMessage(budget: string, limit: string, given: { limits: Limits; limits_max: LimitsMax }): string {
  return `the budget ${budget} of ${limit} is spent${adviceOf(budget, given)}`;
}

const ADVICE: ReadonlyMap<string, string> = new Map([
  ['carried_out_again', ': change fewer records in one dry run'],
  ['dry_run_time', ': make fewer calls, or change fewer records, in one dry run'],
  ['writer_time', ': change fewer records in one dry run, or start it while fewer others write'],
]);

function adviceOf(budget: string, { limits, limits_max }: { limits: Limits; limits_max: LimitsMax }): string {
  const { success, data: name } = Limits.keyof().safeParse(budget === 'log' ? 'log_bytes' : budget);
  if (!success) return ADVICE.get(budget) ?? '';
  const own = limits[name] ?? Number.POSITIVE_INFINITY;
  const shops = limits_max[name] ?? Number.POSITIVE_INFINITY;
  if (own < shops && mayBe(name, own + 1)) return `: raise settings.limits.${name} of the task and resume the run`;
  if (mayBe(name, own + 1))
    return `, the most that this shop gives: raise its setting limits_max.${name}, then settings.limits.${name} of the task, and resume the run`;
  return ', the most that there is';
}

function mayBe(name: keyof Limits, value: number): boolean {
  return Limits.shape[name].safeParse(value).success;
}
