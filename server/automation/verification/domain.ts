import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type DecisionAct, type Decisions, decisionActs, GESTURE_SECONDS, SignedPayload } from '../../../contract/decisions.ts';
import type { Db, Store } from '../../db/open.ts';
import { challengeOf } from '../../resources/decisions/challenge.ts';
import { checkedAssertion } from '../../resources/passkeys/webauthn.ts';
import { readSettings } from '../../resources/settings/domain.ts';
import { canonicalText } from '../../values/canonical.ts';
import { planDigest, signedVersion } from '../decisions/signed.ts';
import * as store from './store.ts';

/** Checks what was decided against what the store has now; it needs no server, and changes nothing (spec DE7). */

/** A decision, or what was done without one. `faults` is empty where everything fits; `notes` say what can no longer be compared. */
export type Verified = { line: string; faults: string[]; notes: string[] };

const PAGE = 500;
const Acts = z.array(z.enum(decisionActs));
const Payload = SignedPayload.extend({ nonce: z.string().nullable(), admin: z.int().nullable() });
const DecidedVersion = z.object({ version: z.looseObject({ id: z.int() }) });
const DecidedPlan = z.object({ plan: z.object({ run_id: z.int(), writes: z.int(), sha256: z.string() }) });
const DecidedPolicy = z.object({
  settings: z.object({ decisions: z.tuple([z.unknown(), z.record(z.enum(decisionActs), z.enum(['token', 'passkey']))]) }),
});

type Policy = Record<DecisionAct, 'token' | 'passkey'>;
/** What the decisions until now have made true. */
type Seen = {
  policy: Policy;
  /** From when on an act asked for a passkey, and until when. */
  asked: { act: DecisionAct; from: string; until: string | null }[];
  signatures: Set<string>;
  versions: Set<number>;
  plans: Set<number>;
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
  const seen: Seen = { policy, asked: [], signatures: new Set(), versions: new Set(), plans: new Set() };
  for (let after = 0; ; ) {
    const rows = await store.selectDecisions(db, after, PAGE);
    for (const row of rows) yield await verified(db, row, seen);
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PAGE) break;
  }
  yield* undecided(db, seen);
  const { decisions } = await readSettings(db);
  if (differs(decisions, seen.policy))
    yield {
      line: 'the setting decisions',
      faults: [`is ${canonicalText(decisions)}, and what was decided is ${canonicalText(seen.policy)}`],
      notes: [],
    };
}

function differs(now: Decisions, decided: Policy): boolean {
  return decisionActs.some((act) => now[act] !== decided[act]);
}

async function verified(db: Db, row: store.DecisionRow, seen: Seen): Promise<Verified> {
  const faults: string[] = [];
  const notes: string[] = [];
  const acts = Acts.parse(JSON.parse(row.acts));
  const read = Payload.safeParse(parsed(row.payload));
  if (!read.success) faults.push('what was decided cannot be read');
  else {
    const payload = read.data;
    if (canonicalText(payload) !== row.payload) faults.push('what was decided is not written as it is signed');
    if (payload.admin !== row.admin_id) faults.push(`was decided by admin ${payload.admin}, and not ${row.admin_id}`);
    if (canonicalText(payload.acts) !== canonicalText(acts)) faults.push(`is about ${payload.acts.join(', ')}, and not ${acts.join(', ')}`);
    if (row.way === 'passkey') faults.push(...(await faultsOfSignature(row, payload, seen)));
    if (row.way === 'token')
      faults.push(...acts.filter((act) => seen.policy[act] === 'passkey').map((act) => `${act} asked for a passkey then`));
    await compare(db, payload.decided, { faults, notes, seen });
    notePolicy(payload.decided, row, seen);
  }
  const who =
    row.way === 'machine' ? 'a command of the machine' : `admin ${row.admin_id}${row.admin_name === null ? '' : ` (${row.admin_name})`}`;
  const how = { passkey: 'signed by a passkey', token: 'by token', machine: 'by command' }[row.way];
  const subject = row.subject_id === null ? row.subject_type : `${row.subject_type} ${row.subject_id}`;
  return { line: `${row.id}  ${row.decided_at}  ${acts.join(' + ')}  ${subject}  ${who}  ${how}`, faults, notes };
}

async function faultsOfSignature(row: store.DecisionRow, payload: z.infer<typeof Payload>, seen: Seen): Promise<string[]> {
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
  else if ((row.key_created_at ?? '') > row.decided_at) faults.push('its passkey was made later');
  else if (row.key_deleted_at !== null && row.key_deleted_at < row.decided_at) faults.push('its passkey was deleted before');
  const age = Date.parse(row.decided_at) - Date.parse(payload.at);
  if (!(age >= 0 && age <= GESTURE_SECONDS * 1000)) faults.push(`was asked for at ${payload.at}, not in the minute before`);
  if (payload.nonce === null || seen.signatures.has(challenge)) faults.push('the same gesture was used twice');
  seen.signatures.add(challenge);
  return faults;
}

type Comparing = Pick<Verified, 'faults' | 'notes'> & { seen: Seen };

/** Compares what was decided on with what is stored of it now. */
async function compare(db: Db, decided: Record<string, unknown>, { faults, notes, seen }: Comparing): Promise<void> {
  const version = DecidedVersion.safeParse(decided);
  if (version.success) {
    const { id } = version.data.version;
    seen.versions.add(id);
    const now = await store.selectVersionNow(db, id);
    if (!now) notes.push(`version ${id} is no longer kept`);
    else {
      if (createHash('sha256').update(now.source_code).digest('hex') !== now.source_sha256)
        faults.push('the source of the version is another one now');
      const stored: Record<string, unknown> = signedVersion(now);
      const other = Object.keys(stored).filter(
        (name) => canonicalText(stored[name] ?? null) !== canonicalText(version.data.version[name] ?? null),
      );
      if (other.length > 0) faults.push(`the version has other ${other.join(', ')} now`);
    }
  }
  const plan = DecidedPlan.safeParse(decided);
  if (!plan.success) return;
  const { run_id, sha256, writes } = plan.data.plan;
  seen.plans.add(run_id);
  const rows = await store.selectPlanNow(db, run_id);
  if (rows.length === 0 && writes > 0) notes.push(`the plan of run ${run_id} is no longer kept`);
  else if (planDigest(rows) !== sha256) faults.push(`the plan of run ${run_id} is another one now`);
}

function notePolicy(decided: Record<string, unknown>, row: store.DecisionRow, seen: Seen): void {
  const change = DecidedPolicy.safeParse(decided);
  if (!change.success || decided['proposal'] === true) return;
  const [, wanted] = change.data.settings.decisions;
  for (const act of decisionActs) {
    const [before, after] = [seen.policy[act], wanted[act] ?? 'token'];
    if (before === after) continue;
    if (after === 'passkey') seen.asked.push({ act, from: row.decided_at, until: null });
    else for (const asked of seen.asked) if (asked.act === act && asked.until === null) asked.until = row.decided_at;
    seen.policy[act] = after;
  }
}

/** What is approved or carried out though an act asked for a passkey then, and nobody has signed it. */
async function* undecided(db: Db, seen: Seen): AsyncGenerator<Verified> {
  const wasAsked = (act: DecisionAct, at: string): boolean =>
    seen.asked.some((one) => one.act === act && one.from < at && (one.until === null || at < one.until));
  for (let after = 0; ; ) {
    const rows = await store.selectApproved(db, after, PAGE);
    for (const { id, version, task_id, approved_by, approved_at } of rows) {
      if (seen.versions.has(id) || !wasAsked('approve_version', approved_at)) continue;
      const line = `version ${version ?? id} of task ${task_id}, approved by admin ${approved_by} at ${approved_at}`;
      yield { line, faults: ['approve_version asked for a passkey then, and there is no decision'], notes: [] };
    }
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PAGE) break;
  }
  for (let after = 0; ; ) {
    const rows = await store.selectApplied(db, after, PAGE);
    for (const { id, at, started_by_admin_id } of rows) {
      if (seen.plans.has(id) || !wasAsked('apply_plan', at)) continue;
      const line = `the plan of dry run ${id}, carried out by admin ${started_by_admin_id} at ${at}`;
      yield { line, faults: ['apply_plan asked for a passkey then, and there is no decision'], notes: [] };
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
