import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PAGE_COLOURS } from '../../server/http/page-colours.ts';
import { type Colour, contrast } from '../helpers/contrast.ts';

const TOKENS = 'console/ui/tokens.css';
const css = readFileSync(TOKENS, 'utf8');
const themes = { light: /:root \{(.*?)\n {2}\}/s, dark: /:root\[data-theme="dark"\] \{(.*?)\n {2}\}/s };

function colours(block: RegExp): Map<string, string> {
  const [, text = ''] = block.exec(css) ?? [];
  return new Map([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', hex = '']) => [name, hex]));
}

function colourOf(hex: string): Colour {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return [red, green, blue];
}

const grounds = ['ground', 'surface', 'wash', 'selection'];
const inks = ['ink-1', 'ink-2', 'ink-3'];
const tones = ['move', 'done', 'fail', 'need', 'dry'];
/** Which text stands on which ground. */
const texts: [string, string][] = [
  ...grounds.flatMap((ground) => [...inks, ...tones, 'accent'].map((ink): [string, string] => [ink, ground])),
  ...tones.flatMap((tone) => [...inks, tone].map((ink): [string, string] => [ink, `${tone}-bg`])),
  ['on-accent', 'accent'],
];
/** Edges of controls, and the focus ring. */
const edges: [string, string][] = ['ground', 'surface', 'wash'].flatMap((ground): [string, string][] => [
  ['edge', ground],
  ['accent', ground],
]);

function tooFaint(palette: Map<string, string>, pairs: readonly [string, string][], least: number): string[] {
  return pairs.flatMap(([ink, ground]) => {
    const [one, other] = [palette.get(ink), palette.get(ground)];
    assert.ok(one && other, `${TOKENS} has no colour for ${ink} or ${ground}`);
    const found = contrast(colourOf(one), colourOf(other));
    return found >= least ? [] : [`${ink} on ${ground}: ${found.toFixed(2)}`];
  });
}

for (const [theme, block] of Object.entries(themes)) {
  test(`${theme} colours: text has a contrast of 4.5 on every ground, and edges of controls of 3`, () => {
    const palette = colours(block);
    assert.deepEqual(tooFaint(palette, texts, 4.5), []);
    assert.deepEqual(tooFaint(palette, edges, 3), []);
  });
}

test('contrast is computed as WCAG does', () => {
  assert.equal(contrast([0, 0, 0], [255, 255, 255]), 21);
  assert.equal(contrast([119, 119, 119], [255, 255, 255]).toFixed(2), '4.48');
});

test('the styles of the console name no colours of their own', () => {
  const own = globSync('console/**/*.css', { exclude: ['**/node_modules/**'] })
    .filter((file) => file !== TOKENS)
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\([^)]*\)/gi)].map(([found]) => `${file}: ${found}`),
    );
  assert.deepEqual(own, []);
});

test('the pages that the server makes by itself have the colours of the console', () => {
  const [light = '', dark = ''] = PAGE_COLOURS.split('@media(prefers-color-scheme:dark)');
  for (const [text, block] of [
    [light, themes.light],
    [dark, themes.dark],
  ] as const) {
    const own = [...text.matchAll(/--([\w-]+):(#[0-9a-f]{6})/g)].map(([, name = '', hex]): [string, string | undefined] => [name, hex]);
    assert.ok(own.length >= 5);
    const palette = colours(block);
    assert.deepEqual(
      own,
      own.map(([name]) => [name, palette.get(name)]),
    );
  }
});
