import { z } from 'zod';
import { type DecisionAct, decisionActs, decisionWays } from '../../../contract/decisions.ts';
import { canonicalText } from '../../values/canonical.ts';
import type { DecisionRow } from './store.ts';

/** What a decision must be by itself and after those before it, whatever it is about (spec DE7). */

export type Policy = Record<DecisionAct, 'token' | 'passkey'>;
type Decided = Readonly<Record<string, unknown>>;
type Signed = { acts: readonly DecisionAct[]; nonce: string | null; decided: Decided };

const Ways = z.partialRecord(z.enum(decisionActs), z.enum(decisionWays));
const DecidedPolicy = z.object({ settings: z.object({ decisions: z.tuple([Ways, Ways]) }) });
const Changed = z.object({ settings: z.looseObject({ decisions: z.unknown() }) });
const Named = z.object({ id: z.int() });

/** The policy that a decision found and the one that it made; null: it is not about that. An act that it does not know takes a token. */
export function policyIn(decided: Decided): { before: Policy; after: Policy } | null {
  const change = DecidedPolicy.safeParse(decided);
  if (!change.success) return null;
  const [before, after] = change.data.settings.decisions;
  return { before: whole(before), after: whole(after) };
}

function whole(ways: z.infer<typeof Ways>): Policy {
  const way = (act: DecisionAct) => ways[act] ?? 'token';
  return {
    ...{ approve_version: way('approve_version'), apply_plan: way('apply_plan'), raise_limits: way('raise_limits') },
    ...{ make_token: way('make_token'), change_access: way('change_access'), policy: way('policy') },
  };
}

export function faultsOfPolicy({ acts, decided }: Signed, known: Policy): string[] {
  const change = policyIn(decided);
  if (!change)
    return Changed.safeParse(decided).data?.settings.decisions === undefined ? [] : ['the policy that it changes cannot be read'];
  const faults = acts.includes('policy') ? [] : ['changes the policy, and is not about it'];
  const found = decisionActs.filter((act) => change.before[act] !== known[act]);
  if (found.length > 0) faults.push(`found another policy than the decisions before it made: ${found.join(', ')}`);
  return faults;
}

/** A command of the machine only ever lets tokens of one owner decide again. */
export function faultsOfMachine(row: Pick<DecisionRow, 'admin_id' | 'token_id'>, { acts, nonce, decided }: Signed): string[] {
  const faults: string[] = [];
  if (row.admin_id !== null || row.token_id !== null || nonce !== null)
    faults.push('a command of the machine has no admin, token or gesture');
  const isAlone = canonicalText(Object.keys(decided)) === '["settings"]' && canonicalText(acts) === '["policy"]';
  if (!isAlone || !isReset(decided)) faults.push('no command of the machine decides this: it lets tokens decide again, and nothing else');
  return faults;
}

const Reset = z.object({
  settings: z.strictObject({
    decisions: z.unknown().optional(),
    policy_four_eyes: z.tuple([z.literal(true), z.literal(false)]).optional(),
  }),
});

function isReset(decided: Decided): boolean {
  const settings = Reset.safeParse(decided).data?.settings;
  if (!settings || Object.keys(settings).length === 0) return false;
  if (!('decisions' in settings)) return true;
  const change = policyIn(decided);
  return change !== null && decisionActs.every((act) => change.after[act] === 'token' || change.before[act] === 'passkey');
}

/** Each kind of record that is decided about, with the member of what is decided that says which one it is. */
const SUBJECTS: readonly (readonly [member: string, type: string])[] = [
  ['proposal', 'policy_change'],
  ['policy_change', 'policy_change'],
  ['plan', 'run'],
  ['version', 'task_version'],
  ['limits', 'task'],
  ['settings', 'settings'],
  ['invitation', 'admin_invitation'],
  ['sign_in_link', 'one_time_link'],
  ['token', 'token'],
  ['agent', 'token'],
  ['new_admin', 'admin'],
  ['deleted_admin', 'admin'],
  ['admin', 'admin'],
  ['new_role', 'role'],
  ['deleted_role', 'role'],
  ['role', 'role'],
];

export function faultsOfSubject(
  { subject_type, subject_id }: Pick<DecisionRow, 'subject_type' | 'subject_id'>,
  decided: Decided,
): string[] {
  const [member, type] = SUBJECTS.find(([name]) => decided[name] !== undefined) ?? ['', ''];
  const id = idOf(type, member, decided);
  return type === subject_type && id === subject_id ? [] : [`is about ${named(type, id)}, and not ${named(subject_type, subject_id)}`];
}

function idOf(type: string, member: string, decided: Decided): number | null {
  if (member === 'plan') return z.object({ run_id: z.int() }).safeParse(decided['plan']).data?.run_id ?? null;
  // A link, token or proposal has no id before it is made.
  if (type === 'one_time_link' || type === 'token' || member === 'proposal') return null;
  return Named.safeParse(decided[member === 'limits' ? 'task' : member]).data?.id ?? null;
}

function named(type: string, id: number | null): string {
  return id === null ? type || 'nothing that is known' : `${type} ${id}`;
}
