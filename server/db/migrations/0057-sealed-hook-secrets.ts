/** The secret of a hook's signatures is encrypted, as the secrets of tasks are; null: with no key yet, see `automation/hooks/signing-secrets.ts`. */
export const statements: readonly string[] = [`ALTER TABLE hooks ADD COLUMN verify_key_id TEXT`];
