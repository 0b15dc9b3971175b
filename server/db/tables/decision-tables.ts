import type { Generated } from 'kysely';

/** Decisions and gestures, in the form that tables.ts describes. */

export type DecisionTables = { decisions: DecisionsTable; gestures: GesturesTable };

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
};

/** What an admin asked to sign. */
type GesturesTable = { id: Generated<number>; admin_id: number; payload: string; expires_at: string; used_at: string | null };
