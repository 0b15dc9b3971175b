import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from '../../server/values/csv.ts';

/** The first line's cells, as a program reads them that takes this character for the end of a cell, and quotes at its beginning alone. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = [];
  let rest = line.replace(/\r\n$/, '');
  for (;;) {
    const [, quoted, plain] = /^(?:"((?:[^"]|"")*)"|)(.*)$/s.exec(rest) ?? [];
    const end = plain?.indexOf(separator) ?? -1;
    const own = end < 0 ? (plain ?? '') : (plain ?? '').slice(0, end);
    cells.push((quoted ?? '').replaceAll('""', '"') + own);
    if (end < 0) return cells;
    rest = (plain ?? '').slice(end + 1);
  }
}

const attacks = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  'Ann;=1+1',
  'Ann;"=1+1',
  "Ann;=cmd|' /C calc'!A0;x",
  'Ann\n=1',
  'Ann\t=1',
  'a";=1',
  ';""=1',
  '\t=1',
];

test('no text begins a cell with a formula, be the separator a comma, a semicolon or a tab', () => {
  for (const text of attacks)
    for (const separator of [',', ';', '\t'])
      for (const cell of csvLine([12, text, 'a@example.com'])
        .split(/\r\n|\n/)
        .flatMap((line) => cellsOf(line, separator)))
        assert.doesNotMatch(cell, /^"*[=+\-@]/, `${JSON.stringify(text)} behind ${JSON.stringify(separator)}`);
});

test('other texts stay as they are, and numbers of our own may be negative', () => {
  assert.equal(csvLine(['Ann-Marie', 'a=b', 'x; y', 'say "hi"', -5, null]), 'Ann-Marie,a=b,"x; y","say ""hi""",-5,\r\n');
});
