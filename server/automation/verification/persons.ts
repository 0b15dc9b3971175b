import { z } from 'zod';
import type { DecisionAct } from '../../../contract/decisions.ts';
import { canonicalText } from '../../values/canonical.ts';
import type { DecisionRow } from './store.ts';

/** Who must have proposed what somebody else decided, where the policy takes two owners (spec DE9). */

/** Whether it takes two now, and what was proposed and not yet applied. */
export type Persons = { two: boolean; proposals: { admin: number | null; text: string }[] };

type Decided = Readonly<Record<string, unknown>>;
type Signed = { acts: readonly DecisionAct[]; decided: Decided };
type By = Pick<DecisionRow, 'admin_id' | 'way'>;

const Rule = z.object({ settings: z.looseObject({ policy_four_eyes: z.tuple([z.boolean(), z.boolean()]) }) });
const Agreed = z.looseObject({ policy_change: z.object({ id: z.int(), proposed_by: z.int() }) });
const Proposed = z.strictObject({ proposal: z.record(z.string(), z.unknown()) });
const Owner = z.looseObject({ role: z.literal('owner') });
const MakesOwner = z.union([z.looseObject({ new_admin: Owner }), z.looseObject({ invitation: Owner })]);
const Changed = z.looseObject({
  admin: z.looseObject({ id: z.int(), role: z.string().optional() }),
  changes: z.looseObject({
    role: z.tuple([z.string(), z.string()]).optional(),
    active: z.tuple([z.boolean(), z.boolean()]).optional(),
    email: z.tuple([z.string(), z.string()]).optional(),
  }),
});
const Settings = z.looseObject({ settings: z.record(z.string(), z.unknown()) });

export function faultsOfPersons(row: By, { acts, decided }: Signed, persons: Persons): string[] {
  const rule = ruleIn(decided);
  const faults = rule && rule[0] !== persons.two ? ['found another rule of two owners than the decisions before it made'] : [];
  if (row.way === 'machine' || Proposed.safeParse(decided).success) return faults;
  const agreed = Agreed.safeParse(decided).data;
  if (!agreed) return persons.two && takesTwo(acts, decided, row.admin_id) ? [...faults, 'took two owners then, and one decided'] : faults;
  const { proposed_by } = agreed.policy_change;
  if (proposed_by === row.admin_id) faults.push('was proposed and applied by the same admin');
  if (indexOf(persons, acts, decided) < 0) faults.push(`admin ${proposed_by} proposed nothing of the kind`);
  return faults;
}

export function notePersons({ acts, decided }: Signed, adminId: number | null, persons: Persons): void {
  const proposed = Proposed.safeParse(decided).data;
  if (proposed) persons.proposals.push({ admin: adminId, text: textOf(acts, proposed.proposal) });
  const applied = indexOf(persons, acts, decided);
  if (applied >= 0) persons.proposals.splice(applied, 1);
  persons.two = ruleIn(decided)?.[1] ?? persons.two;
}

function ruleIn(decided: Decided): [before: boolean, after: boolean] | undefined {
  return Rule.safeParse(decided).data?.settings.policy_four_eyes;
}

/** Which of the proposals was applied; -1: none. */
function indexOf({ proposals }: Persons, acts: readonly DecisionAct[], decided: Decided): number {
  const agreed = Agreed.safeParse(decided).data;
  if (!agreed) return -1;
  const { policy_change: change, ...proposal } = agreed;
  const text = textOf(acts, proposal);
  return proposals.findIndex((one) => one.admin === change.proposed_by && one.text === text);
}

function textOf(acts: readonly DecisionAct[], proposal: Decided): string {
  return canonicalText({ acts, proposal });
}

/** Whether it changes the policy, or could make an owner of whoever decided it. */
function takesTwo(acts: readonly DecisionAct[], decided: Decided, adminId: number | null): boolean {
  if (acts.includes('policy') || MakesOwner.safeParse(decided).success) return true;
  const { settings = {} } = Settings.safeParse(decided).data ?? {};
  if (Object.keys(settings).some((name) => /^(smtp|public_url)(\.|$)/.test(name))) return true;
  const change = Changed.safeParse(decided).data;
  if (!change || change.admin.id === adminId) return false;
  const { role, active, email } = change.changes;
  return (role?.[1] ?? change.admin.role) === 'owner' && (role !== undefined || active?.[1] === true || email !== undefined);
}
