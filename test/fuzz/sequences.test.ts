import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { engines, stopPostgres } from '../helpers/stores.ts';
import { type FuzzOptions, fuzz, partNames, textOf } from './fuzz.ts';

/** Some sequences of `npm run fuzz`, always the same ones. */
const SEED = Number(process.env['SEED'] ?? 20_261_126);
const SEQUENCES = { sqlite: 9, postgres: 6 };
/** How long the search for the shortest sequence that breaks a rule may take. */
const LIMIT_MS = 240_000;

for (const engine of engines) {
  describe(`random sequences of calls [${engine}]`, { timeout: 600_000 }, () => {
    after(() => (engine === 'postgres' ? stopPostgres() : undefined));
    for (const part of partNames) {
      test(`${part}: no sequence breaks a rule (seed ${SEED})`, async () => {
        const options: FuzzOptions = { part, engine, seed: SEED, sequences: SEQUENCES[engine], calls: 60, limitMs: LIMIT_MS };
        const { sequences, tally, failure } = await fuzz(options);
        assert.ok(failure === null, failure === null ? '' : textOf(failure, options));
        assert.equal(sequences, SEQUENCES[engine]);
        const [calls, accepted] = [...tally.values()].reduce(([a, b], one) => [a + one.calls, b + one.accepted], [0, 0]);
        assert.ok(
          tally.size > 20 && calls > 100 && accepted > calls / 2,
          `${accepted} of ${calls} calls accepted, of ${tally.size} endpoints`,
        );
      });
    }
  });
}
