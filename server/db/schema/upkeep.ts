import type { Engine, Statement } from '../dialect.ts';

/** Tables that triggers keep right, whatever writes an order; `order-upkeep.ts` stops and resumes the triggers for bulk loads. */
export type Upkeep = Readonly<Record<Engine, EngineUpkeep>> & {
  /** Statements for PostgreSQL that merge the rows which its triggers have added; one for each table. */
  merges: readonly string[];
};

export type EngineUpkeep = {
  tables: readonly string[];
  /** Empties the tables and fills them from the orders. */
  fill: readonly string[];
  triggers: Readonly<Record<string, string>>;
};

export function statementOf({ sqlite, postgres }: Upkeep): Statement {
  return { sqlite: [...sqlite.tables, ...createTriggers(sqlite)], postgres: [...postgres.tables, ...createTriggers(postgres)] };
}

export function createTriggers({ triggers }: EngineUpkeep): string[] {
  return Object.entries(triggers).map(([name, what]) => `CREATE TRIGGER ${name} ${what}`);
}
