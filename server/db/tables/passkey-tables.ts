import type { Generated } from 'kysely';

/** Passkeys and sessions, in the form that tables.ts describes. */

export type PasskeyTables = {
  passkeys: PasskeysTable;
  sessions: SessionsTable;
  session_tokens: SessionTokensTable;
  passkey_challenges: PasskeyChallengesTable;
  passkey_codes: PasskeyCodesTable;
  recovery_codes: RecoveryCodesTable;
};

type PasskeysTable = {
  id: Generated<number>;
  admin_id: number;
  /** base64url, as browsers send it. */
  credential_id: string;
  /** The COSE key, base64url. */
  public_key: string;
  /** How often the authenticator says it was used; 0: it does not count. */
  counter: number;
  /** JSON array of the ways to reach the authenticator. */
  transports: string;
  /** The host name for which the passkey was made; it works for no other. */
  rp_id: string;
  backup_eligible: number;
  backed_up: number;
  name: string;
  created_at: string;
  last_used_at: string | null;
  deleted_at: string | null;
  row_version: Generated<number>;
};

/** `id` is that of the row of `tokens` that the session acts as. */
type SessionsTable = {
  id: number;
  /** SHA-256 of the cookie, hex. */
  secret_hash: string;
  passkey_id: number;
  /** Where it was last renewed from. */
  address: string;
  renewed_at: string;
  /** When it ends at the latest. */
  expires_at: string;
};

type SessionTokensTable = { token_hash: string; session_id: number; expires_at: string };

/** Each challenge that a browser was given and has not answered yet. `admin_id` null: anybody may answer it, to sign in. */
type PasskeyChallengesTable = { challenge_hash: string; purpose: string; admin_id: number | null; expires_at: string };

/** Codes by which an admin may make a passkey once. `first`: nobody vouched for it, so it ends with the first passkey of the shop. */
type PasskeyCodesTable = {
  code_hash: string;
  admin_id: number;
  source: 'link' | 'first' | 'passkey' | 'recovery_code';
  expires_at: string;
};

type RecoveryCodesTable = { code_hash: string; admin_id: number; created_at: string; used_at: string | null };
