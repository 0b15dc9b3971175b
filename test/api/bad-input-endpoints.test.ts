import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { watchAnswers } from '../helpers/seen-answers.ts';
import { createDatabase, engines, stopPostgres } from '../helpers/stores.ts';
import { type Aim, fireBodies, fireQueries, takeAim } from '../torture/bad-input/endpoints.ts';
import { fireHeaders, firePaths } from '../torture/bad-input/paths.ts';
import { openTarget, type Target } from '../torture/bad-input/shop.ts';

/** The share of the requests of `npm run bad-input` that this test sends. */
const SHARE = 1 / 40;
/** What needs an authenticator, or a run that waits or is on trial. */
const NEEDS_MORE = /passkey|^session\.|recovery_codes|gesture|signal|continue_version/;

for (const engine of engines) {
  describe(`bad input at every endpoint [${engine}]`, () => {
    let target: Target;
    let aims: Aim[];
    const seen = watchAnswers();
    before(async () => {
      const database = await createDatabase(engine);
      target = await openTarget('', engine === 'postgres' ? database.url : undefined, seen.watch);
      aims = await takeAim(target);
    });
    afterEach(() => seen.check());
    after(async () => {
      await target.close();
      if (engine === 'postgres') await stopPostgres();
    });
    const nothingFailed = () => assert.deepEqual(target.failures.splice(0), []);

    test('the samples are valid: at least three quarters of the unchanged bodies are accepted, but for what needs an authenticator or a run that waits', () => {
      nothingFailed();
      const withBody = aims.filter(({ endpoint }) => endpoint.body && !endpoint.multipart && !NEEDS_MORE.test(endpoint.id));
      const accepted = withBody.filter((aim) => aim.accepted);
      assert.ok(
        withBody.length >= 40 && accepted.length >= 0.75 * withBody.length,
        `${accepted.length} of ${withBody.length}; refused: ${withBody
          .filter((aim) => !aim.accepted)
          .map(({ endpoint }) => endpoint.id)
          .join(', ')}`,
      );
    });

    test('a bad value anywhere in a body causes no server error and stores nothing', async () => {
      assert.ok((await fireBodies(target, aims, SHARE)) > 300);
      nothingFailed();
    });

    test('a bad value in a query parameter causes no server error, and a read writes nothing', async () => {
      assert.ok((await fireQueries(target, aims, [], SHARE)) > 50);
      nothingFailed();
    });

    test('a bad id or header causes no server error and stores nothing', async () => {
      const few = aims.filter((_, n) => n % 10 === 0);
      assert.ok((await firePaths(target, few)) + (await fireHeaders(target, few)) > 100);
      nothingFailed();
    });
  });
}
