import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PORTION } from '../../server/automation/secrets/decoded.ts';
import { maskOf } from '../../server/automation/secrets/masks.ts';

const VALUE = 'k3y/of"the+mailer-1234567890';
const MIB = 1024 * 1024;
const { maskBytes } = maskOf([{ name: 'key', value: VALUE }]);

const texts = (size: number): [name: string, text: string][] => [
  ['escapes of a URL', '%41'.repeat(size / 3)],
  ['escapes of JSON', '\\u0041'.repeat(size / 6)],
  ['line ends', '\\n'.repeat(size / 2)],
  ['base64 of escapes', Buffer.from('%41'.repeat(size / 4)).toString('base64')],
];
for (const [name, text] of texts(4 * MIB)) {
  test(`4 MiB of ${name}: others have their turn all the time, and the secret in it is found`, async (t) => {
    const text4 = `${text}"${JSON.stringify(VALUE)}`;
    let turns = 0;
    let longestMs = 0;
    let last = performance.now();
    let isDone = false;
    const tick = (): void => {
      longestMs = Math.max(longestMs, performance.now() - last);
      last = performance.now();
      turns += 1;
      if (!isDone) setImmediate(tick);
    };
    setImmediate(tick);
    const began = performance.now();
    const masked = (await maskBytes(Buffer.from(text4, 'latin1')).finally(() => (isDone = true))).toString('latin1');
    t.diagnostic(`${Math.round(performance.now() - began)} ms in ${turns} turns, the longest ${Math.round(longestMs)} ms`);
    assert.ok(turns >= 10, `${turns} turns`);
    assert.ok(masked.endsWith('[secret:key]"'), masked.slice(-60));
    assert.equal(masked.includes('mailer'), false);
  });
}

for (const [name, text] of [...texts(MIB), ['an echo of nothing else', VALUE.repeat(MIB / VALUE.length)] as const]) {
  test(`1 MiB of ${name}: no portion between two stops is larger than ${PORTION}, and all of the text is in portions`, async () => {
    let [stops, work, largest] = [0, 0, 0];
    const counted = maskOf([{ name: 'key', value: VALUE }], async (steps) => {
      for (;;) {
        const { done, value } = steps.next();
        if (done) return value;
        [stops, work, largest] = [stops + 1, work + value, Math.max(largest, value)];
      }
    });
    await counted.maskBytes(Buffer.from(text, 'latin1'));
    assert.equal(largest <= PORTION, true, `${largest}`);
    assert.ok(work >= 2 * text.length, `${work}`);
    assert.ok(stops >= work / PORTION, `${stops}`);
  });
}
