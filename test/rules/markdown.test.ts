import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Block, parseMarkdown } from '../../console/parts/markdown/blocks.ts';
import type { Inline } from '../../console/parts/markdown/inline.ts';
import { DETAILS_MAX_BYTES } from '../../contract/run-events.ts';

/** Markdown as text in which each kind of node has its letters, so that a case is one line. */
function shown(blocks: readonly Block[]): string {
  return blocks.map(blockText).join(' ');
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `h${block.level}(${words(block.of)})`;
    case 'paragraph':
      return `p(${words(block.of)})`;
    case 'code':
    case 'rest':
      return `${block.kind}(${block.text})`;
    case 'rule':
      return 'rule';
    case 'quote':
      return `quote(${shown(block.of)})`;
    case 'list':
      return `${block.start === null ? 'ul' : `ol${block.start}`}${block.isTight ? '' : '~'}(${block.items.map(shown).join('; ')})`;
    case 'table':
      return `table(${[block.head, ...block.rows].map((row) => row.map(({ align, of }) => `${align.charAt(0)}:${words(of)}`).join('|')).join('; ')})`;
  }
}

function words(nodes: readonly Inline[]): string {
  return nodes
    .map((one) => {
      if (one.kind === 'text') return one.text;
      if (one.kind === 'break') return '⏎';
      if (one.kind === 'code') return `code(${one.text})`;
      return one.kind === 'link' ? `link(${one.href}, ${words(one.of)})` : `${one.kind}(${words(one.of)})`;
    })
    .join('');
}

const cases: [markdown: string, expected: string][] = [
  ['# Late *orders* #\ntext', 'h1(Late emphasis(orders)) p(text)'],
  ['Under\n===\nLess\n---', 'h1(Under) h2(Less)'],
  ['a\nb  \nc\\\nd', 'p(a b  ⏎c⏎d)'],
  [
    '**a *b* c** ***d*** __e__ ~~f~~ snake_case_word 2 * 3 * 4',
    'p(strong(a emphasis(b) c) emphasis(strong(d)) strong(e) struck(f) snake_case_word 2 * 3 * 4)',
  ],
  ['`a*b` ``c`d`` \\*e\\* `open', 'p(code(a*b) code(c`d) *e* `open)'],
  [
    '[one](/orders/1 "t"), <https://a.example/x>, https://b.example/a_(b).',
    'p(link(/orders/1, one), link(https://a.example/x, https://a.example/x), link(https://b.example/a_(b, https://b.example/a_(b)).)',
  ],
  ['![pic](https://a.example/x.png) [a [b](/c) d](/e)', 'p(link(https://a.example/x.png, pic) [a link(/c, b) d](/e))'],
  ['- a\n- b\n  1) c\n  2) d\n- [x] e', 'ul(p(a); p(b) ol1(p(c); p(d)); p(☑ e))'],
  ['- a\n\n- b\n\n  c\n\nend', 'ul~(p(a); p(b) p(c)) p(end)'],
  ['> a\n> > b\n\n***\n', 'quote(p(a) quote(p(b))) rule'],
  ['| a | b |\n|--|:-:|\n| 1 \\| 2 |\n| **x** | y | z |\n\nend', 'table(s:a|c:b; s:1 | 2|c:; s:strong(x)|c:y) p(end)'],
  ['```js\n# no\n```\n~~~\nopen', 'code(# no) code(open)'],
  ['<b onclick="x()">a</b> <!-- c --> &lt;', 'p(<b onclick="x()">a</b> <!-- c --> &lt;)'],
];

test('Markdown is read as people write it', () => {
  for (const [markdown, expected] of cases) assert.equal(shown(parseMarkdown(markdown)), expected, markdown);
});

test('links lead to web addresses and pages of the console alone; all others are their words', () => {
  const hostile = [
    ...[
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      ' javascript:alert(1)',
      'java&#x73;cript:alert(1)',
      'data:text/html,<b>',
      'vbscript:x',
    ],
    ...[
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https:evil',
      'http://',
      'file:///etc/passwd',
      'blob:https://a/b',
      'x',
      '?q',
      '#h',
    ],
    ...['<javascript:alert(1)>', '</\tevil>', 'https://a b', '\u0001javascript:alert(1)', 'ftp://a.example', 'mailto:a@b.example', ''],
  ];
  for (const target of hostile) {
    const text = JSON.stringify(parseMarkdown(`[words](${target}) ![words](${target}) <${target}>`));
    const hrefs = [...text.matchAll(/"href":"([^"]*)"/g)].map(([, href]) => href);
    assert.deepEqual(
      hrefs.filter((href) => href !== undefined && !/^(https?:\/\/[a-z]|\/[^/\\])/.test(href)),
      [],
      target,
    );
    assert.ok(!/"href":"(?:javascript|data|file|blob|\/\/)/i.test(text), text);
  }
  for (const good of ['https://a.example/?q=1#h', 'HTTP://a.example', '/tasks/3/runs/4?tab=log'])
    assert.match(JSON.stringify(parseMarkdown(`[words](${good})`)), new RegExp(`"href":"${good.replaceAll(/[?.]/g, '\\$&')}"`));
});

const MARKS = [
  '[',
  ']',
  '(',
  ')',
  '*',
  '_',
  '~~',
  '`',
  '``',
  '<',
  '>',
  '!',
  '\\',
  '|',
  '-',
  '#',
  '+',
  '1.',
  ' ',
  '\n',
  '\n\n',
  '    ',
  'a',
  'http://a',
  '](',
  '![',
  '> ',
  '- ',
  '|-|',
  '```\n',
  '/x',
  '😀',
  '\u202e',
  '\u0000',
  '\r',
];

test('any 64 KiB are read in a moment, are nested a little and have few nodes', () => {
  const repeated = [
    ...MARKS.map((mark) => mark),
    ...[
      '*a ',
      '_a**',
      '[a](',
      '[a](b(c',
      '[a](<b',
      '[[a](b)',
      '> > > > > > > > >a\n',
      '|a|b|\n|-|-|\n',
      'a|',
      '`a',
      '*_',
      '**a__b~~c',
      '~~a~',
    ],
    ...['# a\n', '- a\n\n', '- - ', '1. a\n   2. b\n', 'a\n---\n', '[a](b "', 'http://a ', '```\n~~~\n', '- a\n  > b\n    - c\n'],
  ].map((part) => part.repeat(Math.ceil(DETAILS_MAX_BYTES / part.length)).slice(0, DETAILS_MAX_BYTES));
  const odd = [
    `|${'a|'.repeat(30)}\n|${'-|'.repeat(30)}\n${`${'x|'.repeat(30)}\n`.repeat(1000)}`,
    Array.from({ length: 350 }, (_, n) => `${' '.repeat(n)}- a`).join('\n'),
    Array.from({ length: 350 }, (_, n) => '`'.repeat(n)).join(' '),
    `${'*a'.repeat(16_000)}${'a*'.repeat(16_000)}`,
    `# ${'#'.repeat(65_000)}`,
    `# ${' '.repeat(65_000)}`,
  ];
  const began = process.cpuUsage();
  for (const text of [...repeated, ...odd]) checkShape(text);
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...MARKS), { maxLength: 400 }), fc.nat({ max: 60 }), (parts, times) => {
      checkShape(
        parts
          .join('')
          .repeat(times + 1)
          .slice(0, DETAILS_MAX_BYTES),
      );
    }),
    { numRuns: 200 },
  );
  const { user } = process.cpuUsage(began);
  // A reader whose time grows with the square of the length takes minutes for each of some of these.
  assert.ok(user / 1000 / (repeated.length + odd.length + 200) < 200, `${user / 1000} ms`);
});

function checkShape(text: string): void {
  const blocks = parseMarkdown(text);
  let nodes = 0;
  const walk = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('kind' in value) nodes += 1;
    assert.ok(depth < 120, 'nested a little');
    for (const inner of Object.values(value)) walk(inner, depth + 1);
  };
  walk(blocks, 0);
  assert.ok(nodes < 10_000, `${nodes} nodes of ${JSON.stringify(text.slice(0, 40))}`);
}
