/** The token of a sign-in link ends with the token that made the link; those of earlier versions end by themselves within 12 hours. */
export const statements: readonly string[] = [
  'ALTER TABLE tokens ADD COLUMN parent_token_id INTEGER REFERENCES tokens (id)',
  'CREATE INDEX tokens_by_parent ON tokens (parent_token_id) WHERE parent_token_id IS NOT NULL',
];
