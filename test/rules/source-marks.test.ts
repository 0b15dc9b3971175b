import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'acorn';
import { isMarkWarning, marksIn, marksInText, markWarnings, shownLines } from '../../contract/source-marks.ts';
import { CODE, codeIn, linesOf, withLineFeeds } from '../../contract/source-text.ts';

const shownIn = (source: string): string[] => marksIn(source).map(({ shown, start, end }) => shown ?? source.slice(start, end));

test('lines end where ECMAScript ends them', () => {
  assert.deepEqual(
    linesOf('a\nb\r\nc\rd\u2028e\u2029f\u0085g').map(({ text }) => text),
    ['a', 'b', 'c\r', 'd\u2028', 'e\u2029', 'f\u0085g'],
  );
  for (const end of ['\r', '\u2028', '\u2029']) {
    assert.deepEqual(shownLines(`// comment${end}evil()`), [
      `// comment‹U+${end.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}›`,
      'evil()',
    ]);
  }
});

test('what cannot be seen is marked in code, names, strings, templates, regular expressions and comments', () => {
  const unseen = [
    ...['\u200b', '\u200d', '\u2060', '\ufeff', '\u3164', '\u115f', '\uffa0', '\u00ad', '\u0085', '\u034f', '\u061c', '\u17b4', '\u180e'],
    ...['\u202e', '\u2066', '\ufe0f', '\u2800', '\ufff9', '\ue000', '\ud800', '\uffff', '\u0007', '\u000b', '\u001b'],
    ...['\u{e0041}', '\u{e0100}', '\u{1d173}', '\u{f0000}'],
  ];
  for (const one of unseen) {
    const shown = `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    for (const [before, after] of [
      ['const a', 'b = 1;'],
      ["log('a", "b');"],
      ['log(`a', 'b`);'],
      ['x = /a', 'b/;'],
      ['// a', 'b\nlog(1);'],
      ['/* a', 'b */'],
    ]) {
      assert.deepEqual(shownIn(`${before}${one}${after}`), [shown], JSON.stringify(`${before}${shown}${after}`));
    }
    assert.deepEqual(
      marksInText(`Tidy${one}up`).map((mark) => mark.shown),
      [shown],
    );
  }
});

test('a row of them is one mark; so is what an emoji has too much of', () => {
  assert.deepEqual(shownIn(`a('${'\u200b'.repeat(9)}')`), [`${Array(8).fill('U+200B').join(' ')} … (9 characters)`]);
  assert.deepEqual(shownIn("log('\u2764\ufe0f\ufe0f\u{1f600}\u{e0041}\u{e007f}')"), ['U+FE0F', 'U+E0041 U+E007F']);
});

test('what is pushed out of sight is marked: behind 80 blanks, or below 30 lines without text', () => {
  assert.deepEqual(shownIn(`log(1);${' '.repeat(400)}evil();`), ['400 blanks']);
  assert.deepEqual(shownIn(`log(1);${'\u3000'.repeat(80)}evil();`), ['80 blanks']);
  assert.deepEqual(shownIn(`log(1);${'\n \t'.repeat(41)}evil();`), ['40 lines without text above']);
  assert.deepEqual(shownIn(`log(1);${' '.repeat(400)}\n${'\n'.repeat(20)}log(2);${'\n'.repeat(50)}`), []);
  assert.deepEqual(shownIn(`log('a${'\u0301'.repeat(20)}')`), ['20 marks']);
});

test('a line of more than 200 characters is marked where it goes beyond them', () => {
  const line = (length: number) => `log(1); ${'x'.repeat(length - 8)}`;
  assert.deepEqual(marksIn(`${line(200)}\r\n${line(200)}`), []);
  assert.deepEqual(
    marksIn(`a\n${line(250)}\n${line(201)}`).map(({ start, end, message }) => [start, end, message]),
    [
      [202, 203, 'from here on the line goes beyond 200 characters: it has 250'],
      [453, 454, 'from here on the line goes beyond 200 characters: it has 201'],
    ],
  );
  assert.deepEqual(shownIn(`${'x'.repeat(200)}😀`), ['😀']);
  assert.deepEqual(markWarnings(line(300)), [
    { line: 1, column: 201, message: 'not as it looks: from here on the line goes beyond 200 characters: it has 300' },
  ]);
  assert.deepEqual(marksInText(line(300)), []);
});

test('letters that are taken for others are marked: mixed scripts, twins, whole names, blanks in code', () => {
  assert.deepEqual(shownIn('const \u0430dmin = 1; admin.orders.list(); // p\u0430ypal'), ['\u0430dmin', 'p\u0430ypal']);
  assert.deepEqual(shownIn("log('p\u0430ypal', '\u0441\u043e\u0440\u0443');"), ['p\u0430ypal']);
  assert.deepEqual(shownIn('\u0441\u043e\u0440\u0443();'), ['\u0441\u043e\u0440\u0443']);
  assert.deepEqual(shownIn('let a = 1; let \u0430 = 2;'), ['\u0430']);
  assert.deepEqual(shownIn('log\u00a0(1)'), ['U+00A0']);
});

test('ordinary text of any language has no mark', () => {
  const plain = [
    'const größe = 1; // naïve café, “quoted” – and more…',
    "log('Prix\u00a0: 3\u202f€', 'Привет, мир', '你好，世界', '\u3000字下げ', 'שלום', 'مرحبا', 'می\u200cخواهم', 'हिन्दी', 'ไทย');",
    "log('❤\ufe0f', '👨\u200d👩\u200d👧', '1\ufe0f\u20e3', '🇩🇪', '👋🏽', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}');",
    'const 数量 = 3;\r\nconst цена = 2;\r\n',
    '\ufeffconst a = 1;',
  ];
  for (const source of plain) assert.deepEqual(shownIn(source), [], source);
});

test('nothing that runs is taken for text: there a joiner is marked that is an ordinary one in a text', () => {
  const sources = [
    `a = b / c; d = 'x' / 2; e = \`t\${f / g}u\` / 3; return_ = /['"]/.test(h);`,
    `if (a) /'/.test(b); c = d++ / e; f = { g: \`\${{ h: 1 }.h}\` }; // '\n/* " */ i = 'it\\'s';`,
    `a = b${' '.repeat(300)}/ c; d = "e / f";`,
  ];
  for (const source of sources) {
    const kinds = codeIn(source);
    for (const { start, end, type } of tokensOf(source)) {
      if (/string|template|regexp|`|\$\{|\}/.test(type)) continue;
      assert.ok(
        kinds.slice(start, end).every((kind) => kind === CODE),
        `${source.slice(start, end)} of ${source}`,
      );
    }
  }
  assert.equal(shownIn('a\u200c = 1').length, 1);
});

function tokensOf(source: string): { start: number; end: number; type: string }[] {
  const found: { start: number; end: number; type: string }[] = [];
  const onToken = ({ start, end, type }: { start: number; end: number; type: { label: string } }) =>
    void found.push({ start, end, type: type.label });
  parse(source, { ecmaVersion: 'latest', sourceType: 'module', onToken });
  return found;
}

test('50 marks are told one by one as warnings, which differ from those about faults', () => {
  const told = markWarnings('log(1);\r'.repeat(80));
  assert.equal(told.length, 51);
  assert.deepEqual(told[1], {
    line: 2,
    column: 8,
    message: 'not as it looks: U+000D ends the line: what follows it is a line of its own',
  });
  assert.deepEqual(told[50], { line: 51, column: 8, message: 'not as it looks: there are more places like these from here on' });
  assert.ok(told.every(isMarkWarning));
  assert.equal(isMarkWarning({ message: "Expected ';'" }), false);
});

test('of more than 5,000 marks, those of a line are one', () => {
  assert.deepEqual(shownIn(`${'a\u200b'.repeat(6000)}\nb\u200bc`).at(-1), 'U+200B');
  assert.equal(marksIn(`${'a\u200b'.repeat(6000)}\nb\u200bc`).length, 2);
});

test('an editor gets line feeds alone, and escapes where a line end is text', () => {
  assert.equal(withLineFeeds("a\r\nb\rc\u2028d = 'e\u2029f';"), "a\nb\nc\nd = 'e\\u2029f';");
});
