/** Creates indexes of trigrams. If the server lacks the extension, or the account may not create it, searches read the whole table. */
export function trigramIndexes(indexes: Readonly<Record<string, string>>): string[] {
  const create = Object.entries(indexes).map(([name, on]) => `CREATE INDEX ${name} ON ${on};`);
  return [
    `DO $$ BEGIN
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      ${create.join('\n      ')}
    EXCEPTION WHEN feature_not_supported OR undefined_file OR insufficient_privilege OR undefined_object THEN
      RAISE WARNING 'the extension pg_trgm is not available: searches of orders and customers will be slow';
    END $$`,
  ];
}
