import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESULT_MAX_BYTES } from '../../contract/run-events.ts';
import { defaultLimits } from '../../contract/runner.ts';
import { causeOfRefusedEvents } from '../../runner/outcome.ts';
import { resultText } from '../../runner/run-report.ts';

test('only a result that is JSON and not too large is reported', () => {
  const largest = `"${'x'.repeat(RESULT_MAX_BYTES - 2)}"`;
  assert.deepEqual(['{"n":1}', '0', null, '', '{"n":1', '1}', `${largest} `, `"${'ü'.repeat(RESULT_MAX_BYTES / 2)}"`].map(resultText), [
    '{"n":1}',
    '0',
    'null',
    'null',
    'null',
    'null',
    'null',
    'null',
  ]);
  assert.equal(resultText(largest), largest);
});

test('a run whose events the server refuses has spent its log or broken a rule', () => {
  assert.deepEqual(causeOfRefusedEvents('log_too_large', 'full', { ...defaultLimits, log_bytes: 9 }), {
    kind: 'budget',
    budget: 'log',
    limit: '9 bytes',
  });
  assert.deepEqual(causeOfRefusedEvents('validation_failed', 'no.', defaultLimits), {
    kind: 'violation',
    message: "the server refused the run's events: validation_failed no.",
  });
});
