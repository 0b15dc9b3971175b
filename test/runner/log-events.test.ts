import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LOG_LINE_MAX_BYTES, LOG_MAX_LINES, RunEvent } from '../../contract/run-events.ts';
import { createEpochKeys } from '../../runner/call-key.ts';
import { createLogMeter, cutLine, resultEvent } from '../../runner/log-events.ts';

test('a log line of 16 KiB is not changed', () => {
  for (const line of ['', 'short', 'x'.repeat(LOG_LINE_MAX_BYTES), 'ä'.repeat(LOG_LINE_MAX_BYTES / 2)]) assert.equal(cutLine(line), line);
});

test('a longer log line is cut between characters to at most 16 KiB and marked as cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }), (unit) => {
      const cut = cutLine(unit.repeat(Math.ceil((LOG_LINE_MAX_BYTES + 1) / Buffer.byteLength(unit))));
      assert.ok(Buffer.byteLength(cut) <= LOG_LINE_MAX_BYTES);
      assert.match(cut, / … \[cut: \d+ bytes\]$/);
      assert.ok(cut.isWellFormed() && !cut.endsWith('\ufffd'));
    }),
  );
});

test('half of a surrogate pair is replaced before a line is sent to the server', () => assert.equal(cutLine('a\ud800b'), 'a\ufffdb'));

test('the log meter names the limit that a line would exceed', () => {
  const meter = createLogMeter(20);
  assert.equal(meter.add('123456789'), null);
  assert.equal(meter.add('1234567890'), '20 bytes');
  assert.equal(meter.add('123456789'), null);
  assert.equal(createLogMeter(20, { bytes: 15, lines: 1 }).add('12345'), '20 bytes', 'what earlier attempts wrote must count');
  assert.equal(createLogMeter(20, { bytes: 15, lines: 1 }).add('1234'), null);
  const lines = createLogMeter(10_000_000);
  for (let i = 0; i < LOG_MAX_LINES; i += 1) assert.equal(lines.add('{}'), null);
  assert.equal(lines.add('{}'), `${LOG_MAX_LINES} lines`);
});

test('a result event has the key that the contract requires', () => {
  const keys = createEpochKeys(2);
  const first = RunEvent.parse(JSON.parse(resultEvent({ status: 'ok', item: 'a', details: { x: 1, y: 2 } }, keys)));
  const same = RunEvent.parse(JSON.parse(resultEvent({ status: 'ok', item: 'a', details: { y: 2, x: 1 } }, keys)));
  assert.ok(first.kind === 'result' && same.kind === 'result');
  assert.match(first.key ?? '', /^2\/[0-9a-f]{64}\/0$/);
  assert.equal(same.key, first.key?.replace(/0$/, '1'));
});
