/** The key that has encrypted the secret of a hook's signatures; null: the secret is stored as it is. */
export const statements: readonly string[] = [`ALTER TABLE hooks ADD COLUMN verify_key_id TEXT`];
