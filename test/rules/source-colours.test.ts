import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coloursOf } from '../../console/editor/source-colours.ts';

const looksOf = (source: string): [string, string][] =>
  coloursOf(source).map(({ from, to, className }) => [source.slice(from, to), className]);

test('a source has the colours of the editor', () => {
  assert.deepEqual(looksOf("const a: Order = await get(1, 'x'); // why\n"), [
    ['const', 'token-keyword'],
    ['Order', 'token-type'],
    ['await', 'token-keyword'],
    ['get', 'token-call'],
    ['1', 'token-value'],
    ["'x'", 'token-text'],
    ['// why', 'token-comment'],
  ]);
});

test('attack: what runs never has the look of a text or a comment', () => {
  for (const [source, runs] of [
    ['// harmless \u2028evil();\n', 'evil'],
    ['// harmless \revil();\n', 'evil'],
    ["const a = b\n/evil('/')/ 2;\n", 'evil'],
    [`\`\${evil()}\`;\n`, 'evil'],
    ["x = 1 /evil('//')/ 2;\n", 'evil'],
    ["'unclosed\nevil();\n", 'evil'],
    ['/* closed */ evil(); /* again */\n', 'evil'],
    ['<!-- comment?\nevil();\n', 'evil'],
    ["const r = /[/]'/; evil(); '//'\n", 'evil'],
  ] as const) {
    const at = source.indexOf(runs);
    const own = coloursOf(source).filter(({ from, to }) => from < at + runs.length && to > at);
    assert.ok(
      own.every(({ className }) => className !== 'token-comment' && className !== 'token-text'),
      `${JSON.stringify(source)}: ${JSON.stringify(own)}`,
    );
  }
});

test('colours come in their order and do not overlap; a source that is too long has none', () => {
  const source = `const a = \`x \${1 + \`\${b}\`} y\`; /* one\ntwo */\n`.repeat(200);
  let end = 0;
  for (const { from, to } of coloursOf(source)) {
    assert.ok(from >= end && to > from);
    end = to;
  }
  assert.ok(end > 0);
  assert.deepEqual(coloursOf('a;'.repeat(150_000)), []);
});
