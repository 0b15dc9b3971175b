import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores, STOPPED } from '../helpers/app.ts';
import { codeOf } from '../helpers/runs.ts';

onBothStores(
  'the rate of requests to opt out',
  (app) => {
    test('from one address, more than 60 a minute get 429 with Retry-After, whether or not the link exists', async () => {
      const post = (n: number) => app().request({ method: 'POST', path: `/unsubscribe/unknown${n}`, token: null });
      for (let n = 0; n < 60; n++) assert.equal((await post(n)).status, 404);
      const limited = await post(60);
      assert.deepEqual(codeOf(limited), [429, 'rate_limited']);
      assert.ok(Number(limited.headers['retry-after']) >= 1);
    });
  },
  { rateClock: STOPPED },
);
