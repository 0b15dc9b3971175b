import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { unifiedDiff } from '../../cli/text-diff.ts';

test('a diff shows what changed with three lines around it', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn';
  const after = before.replace('b', 'B').replace('m\n', '');
  assert.deepEqual(unifiedDiff(before, after), [
    '@@ -1,5 +1,5 @@',
    ' a',
    '-b',
    '+B',
    ' c',
    ' d',
    ' e',
    '@@ -10,5 +10,4 @@',
    ' j',
    ' k',
    ' l',
    '-m',
    ' n',
  ]);
  assert.deepEqual(unifiedDiff(before, before), []);
});

test('a diff writes out what a reader could not see, and ends lines as ECMAScript does', () => {
  assert.deepEqual(unifiedDiff('log(1);', "log(1);\n// check\u2028evil(\u0430dmin, '\u202e')"), [
    '@@ -1,1 +1,3 @@',
    ' log(1);',
    '+// check‹U+2028›',
    "+evil(‹U+0430dmin›, '‹U+202E›')",
  ]);
});

test('an empty text has no lines', () => {
  assert.deepEqual(unifiedDiff('', 'a\nb'), ['@@ -0,0 +1,2 @@', '+a', '+b']);
  assert.deepEqual(unifiedDiff('a', ''), ['@@ -1,1 +0,0 @@', '-a']);
});

test('a diff of any two texts turns one into the other', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 30 }).map((lines) => lines.join('\n'));
  fc.assert(fc.property(text, text, (before, after) => assert.equal(patched(before, unifiedDiff(before, after)), after)));
  const long = Array.from({ length: 3000 }, (_, n) => `line ${n}`);
  const other = long.map((line) => `${line}!`).join('\n');
  assert.equal(patched(long.join('\n'), unifiedDiff(long.join('\n'), other)), other);
});

/** Applies a diff as `patch` does: every line of a hunk must be where the hunk says. */
function patched(before: string, diff: readonly string[]): string {
  const source = before === '' ? [] : before.split('\n');
  const out: string[] = [];
  let at = 0;
  for (const line of diff) {
    const start = /^@@ -(\d+),/.exec(line)?.[1];
    if (start !== undefined) {
      const from = Math.max(0, Number(start) - 1);
      out.push(...source.slice(at, from));
      at = from;
      continue;
    }
    if (!line.startsWith('+')) assert.equal(source[at++], line.slice(1));
    if (!line.startsWith('-')) out.push(line.slice(1));
  }
  return [...out, ...source.slice(at)].join('\n');
}
