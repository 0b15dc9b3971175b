import { z } from 'zod';
import { JsonObject, SaidBefore } from '../../../contract/run-events.ts';
import { type Claim, type RunnerInfo, ShopFacts } from '../../../contract/runner.ts';
import { ParameterDeclaration, type TaskSettings } from '../../../contract/tasks.ts';
import type { Store } from '../../db/open.ts';
import { claimTokens } from '../../resources/tokens/domain.ts';
import { settingsOf } from '../tasks/domain.ts';
import { limitsOf } from '../tasks/rules.ts';
import * as store from './claiming-store.ts';

/** `note`: also store that the runner was seen now. */
export type ClaimOptions = {
  runner: RunnerInfo;
  slots: number;
  confirmSeconds: number;
  leaseSeconds: number;
  limitsMax: TaskSettings['limits'];
  /** The facts of the shop for lineages that began before they stored them. */
  shop: ShopFacts;
  note: boolean;
};

type Tokens = ReturnType<typeof claimTokens>;

const Strings = z.array(z.string());
const Declarations = z.array(ParameterDeclaration);

/** `isChecked`: the store has what was compiled of the source in the present format, or knows that it has faults. */
export type Claimed = { claim: Claim; isChecked: boolean };

/** Hands open runs to a runner in one transaction, by priority, then by age (spec RN1). */
export function claimRuns(data: Store, options: ClaimOptions): Promise<Claimed[]> {
  return data.write(async (db) => {
    const now = new Date().toISOString();
    if (options.note) await store.noteRunner({ db, dialect: data.dialect }, options);
    const chosen = await store.selectCandidates({ db, dialect: data.dialect }, options.slots);
    if (chosen.length === 0) return [];
    const details = await store.selectDetails(
      db,
      chosen.map(({ id }) => id),
    );
    const claims: Claimed[] = [];
    for (const run of chosen) {
      const detail = details.get(run.id);
      if (!detail) continue;
      const tokens = claimTokens();
      const made = claimOf(run, detail, tokens, options);
      await store.insertClaim(db, run, options, made, now);
      claims.push({ claim: made, isChecked: detail.compiled !== null });
    }
    return claims;
  });
}

function claimOf(run: store.Candidate, detail: store.Details, tokens: Tokens, options: ClaimOptions): Claim {
  const { leaseSeconds, limitsMax } = options;
  const settings = settingsOf(detail);
  return {
    run: {
      id: run.id,
      task_id: run.task_id,
      dry_run: run.dry_run === 1,
      attempt: run.attempt,
      record: run.record === 1,
      replay: run.replay_of_run_id !== null,
      ...(detail.resumes === 1 && { resumes: true }),
      ...(run.traceparent !== null && { traceparent: run.traceparent }),
    },
    lineage_id: run.lineage_id,
    seed: detail.seed,
    now: detail.epoch_started_at,
    ...(detail.began_at !== null && { began: detail.began_at }),
    shop: detail.shop === null ? options.shop : ShopFacts.parse(JSON.parse(detail.shop)),
    version: {
      id: run.version_id,
      version: detail.version,
      source_code: detail.source_code,
      code: detail.compiled || null,
      permissions: Strings.parse(JSON.parse(detail.permissions)),
      parameters: Declarations.parse(JSON.parse(detail.version_parameters)),
    },
    parameters: JsonObject.parse(JSON.parse(run.parameters)),
    checkpoint: run.last_checkpoint === null ? null : JsonObject.parse(JSON.parse(run.last_checkpoint)),
    epoch: detail.epoch,
    writes_made: detail.writes_made,
    used: {
      cpu_ms: detail.used_cpu_ms ?? 0,
      wall_ms: detail.used_wall_ms ?? 0,
      host_calls: Math.max(detail.used_host_calls ?? 0, detail.counted_host_calls),
    },
    ...(detail.said !== null && { said: SaidBefore.parse(JSON.parse(detail.said)) }),
    log_made: { bytes: detail.log_bytes, lines: detail.log_lines },
    limits: limitsOf(settings.limits, limitsMax),
    limits_max: limitsMax,
    token: tokens.call,
    report_token: tokens.report,
    lease_seconds: leaseSeconds,
  };
}
