import type { Generated } from 'kysely';

/** Decisions and gestures, in the form that tables.ts describes. */

export type DecisionTables = {
  decisions: DecisionsTable;
  gestures: GesturesTable;
  policy_changes: PolicyChangesTable;
  plan_requests: PlanRequestsTable;
};

/** Rows are never changed. What was signed is there where `way` is `passkey`. */
type DecisionsTable = {
  id: Generated<number>;
  /** JSON array of `DecisionAct`. */
  acts: string;
  /** null: the machine decided, by a command. */
  admin_id: number | null;
  token_id: number | null;
  way: 'token' | 'passkey' | 'machine';
  subject_type: string;
  /** null: the decision made the record, or it is about the settings. */
  subject_id: number | null;
  /** What was decided: JSON with sorted members. The challenge that was signed is its SHA-256. */
  payload: string;
  decided_at: string;
  credential_id: string | null;
  /** The COSE key as it was then, base64url; likewise what the authenticator gave. */
  public_key: string | null;
  authenticator_data: string | null;
  client_data: string | null;
  signature: string | null;
  origin: string | null;
  rp_id: string | null;
  /** SHA-256 over the digest of the decision before and this one (spec DE7); null: it is from before there were any. */
  chain: string | null;
};

/** What an admin asked to sign. */
type GesturesTable = { id: Generated<number>; admin_id: number; payload: string; expires_at: string; used_at: string | null };

/** What one owner proposes and another applies. */
type PolicyChangesTable = {
  id: Generated<number>;
  method: string;
  path: string;
  /** JSON of the request's body; null: it has none, or it is decided on. */
  body: string | null;
  /** JSON array of `DecisionAct`. */
  acts: string;
  /** What is proposed: JSON with sorted members. */
  decided: string;
  comment: string | null;
  state: 'waiting' | 'applied' | 'declined';
  proposed_by: number;
  created_at: string;
  expires_at: string;
  decided_by: number | null;
  decided_at: string | null;
  reason: string | null;
  row_version: Generated<number>;
};

/** A plan that takes two persons, and for which the second was asked. */
type PlanRequestsTable = {
  run_id: number;
  state: 'waiting' | 'applied' | 'declined';
  asked_by: number;
  asked_at: string;
  comment: string | null;
  decided_by: number | null;
  decided_at: string | null;
  reason: string | null;
};
