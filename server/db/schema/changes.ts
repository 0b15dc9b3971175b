import type { Statement } from '../dialect.ts';

/**
 * For lists in the order of change (`queries/change-cursors.ts`): each row of these tables has the number of its last change, given by triggers, so that
 * every way of writing a row counts. A change is a write that raises the row version or sets `updated_at`.
 *
 * On SQLite a counter gives the numbers, and the clock lifts it, so that after the restoration of an older file no number is given a second
 * time. On PostgreSQL the number is that of the transaction, and a snapshot tells which of them were committed. The changes of a dry run
 * are numbered from 2^52 on (`staged-ids.ts`), the same in each pass.
 */

const tables = ['orders', 'customers', 'products', 'subscriptions', 'inquiries'] as const;

/** 2^52, as `STAGED_FROM` in `values/staged-range.ts`. */
const STAGED = '4503599627370496';

const CLOCK = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;

const isChange = 'OLD.row_version <> NEW.row_version OR OLD.updated_at <> NEW.updated_at';

const numbered = (table: string) => `BEGIN
    UPDATE change_numbers SET n = CASE WHEN kept IS NULL THEN max(n + 1, ${CLOCK}) ELSE n + 1 END;
    UPDATE ${table} SET changed_in = (SELECT n FROM change_numbers) WHERE id = NEW.id;
  END`;

export const changes: readonly Statement[] = [
  // The era is another one after a restoration that makes older numbers worthless. `kept`: the counter while a dry run uses `n`.
  `CREATE TABLE change_numbers (
    era TEXT NOT NULL,
    n INTEGER NOT NULL,
    kept INTEGER
  ) STRICT`,
  {
    sqlite: [
      `INSERT INTO change_numbers (era, n) VALUES (lower(hex(randomblob(6))), ${CLOCK})`,
      ...tables.flatMap((table) => [
        `CREATE TRIGGER ${table}_numbered_insert AFTER INSERT ON ${table} ${numbered(table)}`,
        `CREATE TRIGGER ${table}_numbered_update AFTER UPDATE OF row_version, updated_at ON ${table} WHEN ${isChange} ${numbered(table)}`,
      ]),
    ],
    postgres: [
      `CREATE TABLE followed_ids (staged_id bigint NOT NULL, real_id bigint NOT NULL)`,
      // Called by the trigger of each table that creates ids (staged-ids.ts); it acts only in a dry run or while a plan is applied.
      `CREATE FUNCTION stage_id() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        counter text := 'backroom.made_' || TG_TABLE_NAME;
        staged bigint;
        is_known boolean;
      BEGIN
        EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I WHERE id = $1)', TG_TABLE_NAME) INTO is_known USING NEW.id;
        IF is_known THEN RETURN NEW; END IF;
        staged := coalesce(nullif(current_setting(counter, true), ''), TG_ARGV[0])::bigint + 1;
        PERFORM set_config(counter, staged::text, true);
        IF current_setting('backroom.ids', true) = 'staged' THEN
          NEW.id := staged;
        ELSE
          INSERT INTO followed_ids (staged_id, real_id) VALUES (staged, NEW.id);
        END IF;
        RETURN NEW;
      END $$`,
      `INSERT INTO change_numbers (era, n) VALUES (substr(md5(CAST(gen_random_uuid() AS text)), 1, 12), 0)`,
      `CREATE FUNCTION number_change() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        staged bigint;
      BEGIN
        IF coalesce(current_setting('backroom.ids', true), '') <> 'staged' THEN
          NEW.changed_in := CAST(CAST(pg_current_xact_id() AS text) AS bigint);
        ELSE
          staged := coalesce(nullif(current_setting('backroom.changes', true), ''), '0')::bigint + 1;
          PERFORM set_config('backroom.changes', staged::text, true);
          NEW.changed_in := ${STAGED} + staged;
        END IF;
        RETURN NEW;
      END $$`,
      ...tables.flatMap((table) => [
        `CREATE TRIGGER ${table}_numbered_insert BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION number_change()`,
        `CREATE TRIGGER ${table}_numbered_update BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (${isChange}) EXECUTE FUNCTION number_change()`,
      ]),
    ],
  },
];
