import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type DecisionAct, type Decisions, decisionActs, GESTURE_SECONDS, SignedPayload } from '../../../contract/decisions.ts';
import type { Db, Store } from '../../db/open.ts';
import { chainOf } from '../../resources/decisions/chain.ts';
import { challengeOf } from '../../resources/decisions/challenge.ts';
import { checkedAssertion } from '../../resources/passkeys/webauthn.ts';
import { readSettings } from '../../resources/settings/domain.ts';
import { canonicalText } from '../../values/canonical.ts';
import { planDigest, signedVersion } from '../decisions/signed.ts';
import { type Days, mayBeGone, noteDays } from './kept.ts';
import { faultsOfPersons, notePersons, type Persons } from './persons.ts';
import { faultsOfMachine, faultsOfPolicy, faultsOfSubject, type Policy, policyIn } from './requirements.ts';
import * as store from './store.ts';

/** Checks what was decided against what the store has now; it needs no server, and changes nothing (spec DE7). */

/** A decision, or what was done without one. `faults` is empty where everything fits; `notes` say what can no longer be compared. */
export type Verified = { line: string; faults: string[]; notes: string[] };

const PAGE = 500;
const Acts = z.array(z.enum(decisionActs));
const Payload = SignedPayload.extend({ nonce: z.string().nullable(), admin: z.int().nullable() });
const DecidedVersion = z.object({ version: z.looseObject({ id: z.int() }) });
const DecidedPlan = z.object({ plan: z.object({ run_id: z.int(), writes: z.int(), sha256: z.string() }) });

/** What the decisions until now have made true. */
type Seen = {
  policy: Policy;
  persons: Persons;
  days: Days;
  /** The digest of the decision before, and all of them. */
  chain: string | null;
  chains: Set<string>;
  /** From when on an act asked for a passkey, and until when. */
  asked: { act: DecisionAct; from: string; until: string | null }[];
  signatures: Set<string>;
  /** When each version was approved, and each plan carried out. */
  versions: Map<number, Set<string>>;
  plans: Map<number, Set<string>>;
};

export async function* verifyDecisions(data: Store): AsyncGenerator<Verified> {
  const db = data.reader;
  const policy: Policy = {
    ...{
      approve_version: 'token',
      apply_plan: 'token',
      raise_limits: 'token',
      make_token: 'token',
      change_access: 'token',
      policy: 'token',
    },
  };
  const seen: Seen = {
    ...{ policy, persons: { two: false, proposals: [] }, chain: null, chains: new Set<string>() },
    days: await shortestDays(db),
    ...{ asked: [], signatures: new Set<string>(), versions: new Map(), plans: new Map() },
  };
  for (let after = 0; ; ) {
    const rows = await store.selectDecisions(db, after, PAGE);
    for (const row of rows) yield await verified(db, row, seen);
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PAGE) break;
  }
  yield* undecided(db, seen);
  const { decisions, policy_four_eyes } = await readSettings(db);
  if (policy_four_eyes !== seen.persons.two)
    yield {
      line: 'the setting policy_four_eyes',
      faults: [`is ${policy_four_eyes}, and what was decided is ${seen.persons.two}`],
      notes: [],
    };
  if (differs(decisions, seen.policy))
    yield {
      line: 'the setting decisions',
      faults: [`is ${canonicalText(decisions)}, and what was decided is ${canonicalText(seen.policy)}`],
      notes: [],
    };
}

/** Of a plan that is gone, a later decision to keep plans shorter says why. */
async function shortestDays(db: Db): Promise<Days> {
  const { journal_days, run_days } = await readSettings(db);
  const days = { journal_days, run_days };
  for (let after = 0; ; ) {
    const rows = await store.selectDecisions(db, after, PAGE);
    for (const { payload } of rows) noteDays(Payload.safeParse(parsed(payload)).data?.decided, days);
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PAGE) return days;
  }
}

function differs(now: Decisions, decided: Policy): boolean {
  return decisionActs.some((act) => now[act] !== decided[act]);
}

async function verified(db: Db, row: store.DecisionRow, seen: Seen): Promise<Verified> {
  const faults = faultsOfChain(row, seen);
  const notes: string[] = [];
  const acts = Acts.safeParse(parsed(row.acts)).data ?? [];
  if (acts.length === 0) faults.push('the acts cannot be read');
  const read = Payload.safeParse(parsed(row.payload));
  if (!read.success) faults.push('what was decided cannot be read');
  else {
    const payload = read.data;
    if (canonicalText(payload) !== row.payload) faults.push('what was decided is not written as it is signed');
    if (payload.admin !== row.admin_id) faults.push(`was decided by admin ${payload.admin}, and not ${row.admin_id}`);
    if (canonicalText(payload.acts) !== canonicalText(acts)) faults.push(`is about ${payload.acts.join(', ')}, and not ${acts.join(', ')}`);
    faults.push(...faultsOfSubject(row, payload.decided), ...(await faultsOfWay(row, payload, seen)));
    faults.push(...faultsOfPolicy(payload, seen.policy), ...faultsOfPersons(row, payload, seen.persons));
    if (payload.after != null && !seen.chains.has(payload.after)) faults.push('a decision is gone or another one that was signed with it');
    await compare(db, { decided: payload.decided, at: row.decided_at, days: seen.days }, { faults, notes });
    noteDecided(payload, row, seen);
  }
  const who =
    row.way === 'machine' ? 'a command of the machine' : `admin ${row.admin_id}${row.admin_name === null ? '' : ` (${row.admin_name})`}`;
  const how = { passkey: 'signed by a passkey', token: 'by token', machine: 'by command' }[row.way] ?? 'in an unknown way';
  const subject = row.subject_id === null ? row.subject_type : `${row.subject_type} ${row.subject_id}`;
  return { line: `${row.id}  ${row.decided_at}  ${acts.join(' + ')}  ${subject}  ${who}  ${how}`, faults, notes };
}

type Signed = z.infer<typeof Payload>;

/** Each decision follows the one before it; only those from before there were digests have none. */
function faultsOfChain(row: store.DecisionRow, seen: Seen): string[] {
  const before = seen.chain;
  if (row.chain === null && before === null) return [];
  if (row.chain !== null) {
    seen.chain = row.chain;
    seen.chains.add(row.chain);
  }
  return row.chain === chainOf(before, row)
    ? []
    : ['does not follow the one before: a decision is gone, was put in, or is another one now'];
}

async function faultsOfWay(row: store.DecisionRow, payload: Signed, seen: Seen): Promise<string[]> {
  switch (row.way) {
    case 'passkey':
      return faultsOfSignature(row, payload, seen);
    case 'token':
      return payload.acts.filter((act) => seen.policy[act] === 'passkey').map((act) => `${act} asked for a passkey then`);
    case 'machine':
      return faultsOfMachine(row, payload);
    default:
      return ['nobody decides in this way'];
  }
}

async function faultsOfSignature(row: store.DecisionRow, payload: Signed, seen: Seen): Promise<string[]> {
  const { credential_id, public_key, authenticator_data, client_data, signature, origin, rp_id } = row;
  const parts = [credential_id, public_key, authenticator_data, client_data, signature, origin, rp_id];
  if (!credential_id || !public_key || !authenticator_data || !client_data || !signature || !origin || !rp_id)
    return [`has no ${parts.filter((part) => part).length === 0 ? 'signature' : 'whole signature'}`];
  const faults: string[] = [];
  const response = { authenticatorData: authenticator_data, clientDataJSON: client_data, signature };
  const credential = { id: credential_id, rawId: credential_id, type: 'public-key' as const, clientExtensionResults: {}, response };
  const key = { credential_id, public_key };
  const challenge = challengeOf(row.payload);
  await checkedAssertion({ origin, rpId: rp_id }, key, { credential, challenge }).catch((error: unknown) => {
    faults.push(error instanceof Error ? error.message : 'the signature cannot be checked');
  });
  if (row.key_admin_id === null) faults.push('its passkey was never one of the shop');
  else if (row.key_admin_id !== row.admin_id) faults.push(`its passkey is that of admin ${row.key_admin_id}`);
  else if (row.key_public_key !== public_key) faults.push('its passkey has another public key');
  else if (row.key_rp_id !== rp_id) faults.push(`its passkey is one for ${row.key_rp_id}`);
  else if ((row.key_created_at ?? '') > row.decided_at) faults.push('its passkey was made later');
  else if (row.key_deleted_at !== null && row.key_deleted_at < row.decided_at) faults.push('its passkey was deleted before');
  const age = Date.parse(row.decided_at) - Date.parse(payload.at);
  if (!(age >= 0 && age <= GESTURE_SECONDS * 1000)) faults.push(`was asked for at ${payload.at}, not in the minute before`);
  if (payload.nonce === null || seen.signatures.has(challenge)) faults.push('the same gesture was used twice');
  seen.signatures.add(challenge);
  return faults;
}

type Comparing = Pick<Verified, 'faults' | 'notes'>;

/** Compares what was decided on with what is stored of it now. */
async function compare(
  db: Db,
  { decided, at, days }: { decided: Record<string, unknown>; at: string; days: Days },
  { faults, notes }: Comparing,
): Promise<void> {
  const version = DecidedVersion.safeParse(decided);
  if (version.success) {
    const { id } = version.data.version;
    const now = await store.selectVersionNow(db, id);
    if (!now) faults.push(`version ${id} is gone, and none is deleted that was decided on`);
    else {
      if (createHash('sha256').update(now.source_code).digest('hex') !== now.source_sha256)
        faults.push('the source of the version is another one now');
      const other = partsThatDiffer(now, version.data.version);
      if (other === null) faults.push('what the version declares cannot be read now');
      else if (other.length > 0) faults.push(`the version has other ${other.join(', ')} now`);
    }
  }
  const plan = DecidedPlan.safeParse(decided);
  if (!plan.success) return;
  const { run_id, sha256, writes } = plan.data.plan;
  const rows = await store.selectPlanNow(db, run_id);
  if (rows.length === 0 && writes > 0) {
    if (await mayBeGone(db, run_id, at, days)) notes.push(`the plan of run ${run_id} is no longer kept`);
    else faults.push(`the plan of run ${run_id} is gone before its time`);
  } else if (planDigest(rows) !== sha256) faults.push(`the plan of run ${run_id} is another one now`);
}

/** null: what is stored of the version is not what a server wrote. */
function partsThatDiffer(now: store.StoredVersion, decided: Record<string, unknown>): string[] | null {
  try {
    const stored: Record<string, unknown> = signedVersion(now);
    return Object.keys(stored).filter((name) => canonicalText(stored[name] ?? null) !== canonicalText(decided[name] ?? null));
  } catch {
    return null;
  }
}

/** A decision counts for the version or plan of its own acts alone: a plan that is applied approves no version. */
function noteDecided({ acts, decided }: Signed, row: store.DecisionRow, seen: Seen): void {
  notePersons({ acts, decided }, row.admin_id, seen.persons);
  const note = (times: Map<number, Set<string>>, id: number | undefined): void => {
    if (id !== undefined) times.set(id, (times.get(id) ?? new Set()).add(row.decided_at));
  };
  // That a paused version goes on is an act of its own, after its approval.
  if (acts.includes('approve_version') && decided['continued'] !== true)
    note(seen.versions, DecidedVersion.safeParse(decided).data?.version.id);
  if (acts.includes('apply_plan')) note(seen.plans, DecidedPlan.safeParse(decided).data?.plan.run_id);
  const change = acts.includes('policy') ? policyIn(decided) : null;
  for (const act of change ? decisionActs : []) {
    const after = change?.after[act] ?? 'token';
    if (seen.policy[act] === after) continue;
    if (after === 'passkey') seen.asked.push({ act, from: row.decided_at, until: null });
    else for (const asked of seen.asked) if (asked.act === act && asked.until === null) asked.until = row.decided_at;
    seen.policy[act] = after;
  }
}

/** What is approved or carried out at another time than it was decided, or though an act asked for a passkey then and nobody has signed it. */
async function* undecided(db: Db, seen: Seen): AsyncGenerator<Verified> {
  const wasAsked = (act: DecisionAct, at: string): boolean =>
    seen.asked.some((one) => one.act === act && one.from < at && (one.until === null || at < one.until));
  const faultOf = (act: DecisionAct, times: ReadonlySet<string> | undefined, at: string): string | null => {
    if (times) return times.has(at) ? null : `was decided at ${[...times].join(', ')}, and there is no decision of then`;
    return wasAsked(act, at) ? `${act} asked for a passkey then, and there is no decision` : null;
  };
  for (let after = 0; ; ) {
    const rows = await store.selectApproved(db, after, PAGE);
    for (const { id, version, task_id, approved_by, approved_at } of rows) {
      const fault = faultOf('approve_version', seen.versions.get(id), approved_at);
      if (fault === null) continue;
      const line = `version ${version ?? id} of task ${task_id}, approved by admin ${approved_by} at ${approved_at}`;
      yield { line, faults: [fault], notes: [] };
    }
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PAGE) break;
  }
  for (let after = 0; ; ) {
    const rows = await store.selectApplied(db, after, PAGE);
    for (const { id, at, started_by_admin_id } of rows) {
      const fault = faultOf('apply_plan', seen.plans.get(id), at);
      if (fault === null) continue;
      const line = `the plan of dry run ${id}, carried out by admin ${started_by_admin_id} at ${at}`;
      yield { line, faults: [fault], notes: [] };
    }
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PAGE) break;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
