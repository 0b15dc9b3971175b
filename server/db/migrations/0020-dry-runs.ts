/** The planned writes of dry runs (spec DR2). */
export const statements: readonly (string | { sqlite: readonly string[]; postgres: readonly string[] })[] = [
  `CREATE TABLE planned_writes (
    lineage_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    body TEXT,
    warnings TEXT NOT NULL,
    is_outside INTEGER NOT NULL,
    at TEXT NOT NULL,
    status INTEGER NOT NULL,
    answer TEXT,
    effects TEXT NOT NULL,
    PRIMARY KEY (lineage_id, position)
  ) STRICT`,
  `ALTER TABLE lineages ADD COLUMN carried_out_again INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE runs ADD COLUMN applied_by_run_id INTEGER`,
  {
    sqlite: [],
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
    ],
  },
];
