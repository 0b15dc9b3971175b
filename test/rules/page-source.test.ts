import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { Transform } from 'prosemirror-transform';
import { liquidEnd, Unreadable } from '../../console/visual/markup.ts';
import { type Read, readSource } from '../../console/visual/read-source.ts';
import { writeSource } from '../../console/visual/write-source.ts';
import { pageSource } from '../helpers/page-sources.ts';
import { chooseSeed } from '../helpers/seeded.ts';

/** The visual editor of pages, without its window: what it reads of a source, and what it writes. */

const seed = chooseSeed();
const options = { numRuns: 3000, seed };

function readOrNull(source: string): Read | null {
  try {
    return readSource(source);
  } catch (error) {
    assert.ok(error instanceof Unreadable, String(error));
    return null;
  }
}

/** The Liquid of a source in its order. */
function liquidOf(source: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < source.length; ) {
    const end = liquidEnd(source, at);
    if (end !== null) found.push(source.slice(at, end));
    at = end ?? at + 1;
  }
  return found;
}

/** What a text says, without how its source is laid out. */
function meaning(node: Node): unknown {
  const { lead: _, tail: __, key: ___, section, before: ____, after: _____, open, ...attrs } = node.attrs;
  const opened = open ?? (node.type.name === 'paragraph' ? '<p>' : null);
  const marks = node.marks.map((mark) => String(mark.attrs['open']));
  return [node.type.name, node.text ?? '', attrs, opened, section?.open ?? null, marks.sort(), node.children.map(meaning)];
}

test(`what was opened and not changed is the same source, byte for byte, SEED=${seed}`, () => {
  let read = 0;
  fc.assert(
    fc.property(pageSource, (source) => {
      const known = readOrNull(source);
      if (known === null) return;
      read += 1;
      known.doc.check();
      assert.equal(writeSource(known.doc, known.originals), source);
    }),
    options,
  );
  assert.ok(read > options.numRuns / 4, `${read} were read`);
});

test(`what is written anew says the same, with all Liquid in its order, SEED=${seed}`, () => {
  fc.assert(
    fc.property(pageSource, (source) => {
      const known = readOrNull(source);
      if (known === null) return;
      const written = writeSource(known.doc, new Map());
      assert.deepEqual(liquidOf(written), liquidOf(source));
      assert.deepEqual(meaning(readSource(written).doc), meaning(known.doc), written);
    }),
    options,
  );
});

test(`a word that is typed changes nothing but the block in which it stands, SEED=${seed}`, () => {
  fc.assert(
    fc.property(pageSource, fc.nat(), (source, where) => {
      const known = readOrNull(source);
      if (known === null) return;
      const places: { at: number; top: number }[] = [];
      known.doc.descendants((node, at) => {
        if (node.isTextblock) places.push({ at: at + 1, top: known.doc.resolve(at).index(0) });
      });
      const place = places[where % Math.max(1, places.length)];
      if (!place) return;
      const { doc } = new Transform(known.doc).insert(place.at, known.doc.type.schema.text('typed'));
      const written = writeSource(doc, known.originals);
      assert.deepEqual(liquidOf(written), liquidOf(source));
      const parts = (text: Node, from: number, to?: number): string =>
        writeSource(text.copy(text.content.cut(offsetOf(text, from), offsetOf(text, to ?? text.childCount))), known.originals);
      const before = parts(known.doc.type.create({}, known.doc.content), 0, place.top);
      const after = parts(known.doc.type.create({ tail: known.doc.attrs['tail'] }, known.doc.content), place.top + 1);
      assert.ok(written.startsWith(String(known.doc.attrs['before']) + before), written);
      assert.ok(written.endsWith(after + String(known.doc.attrs['after'])), written);
      assert.equal(written.split('typed').length, source.split('typed').length + 1);
    }),
    options,
  );
});

function offsetOf(doc: Node, index: number): number {
  return doc.children.slice(0, index).reduce((size, child) => size + child.nodeSize, 0);
}

const refused: [why: string, source: string][] = [
  ['liquid', '<p>{{ page.title</p>'],
  ['liquid', '{% raw %}{{ a }}'],
  ['tag', '<p class="a'],
  ['name', '<{{ tag }}>a</{{ tag }}>'],
  ['unclosed', '<div><p>a</p>'],
  ['stray', '<p>a</p></div>'],
  ['stray', '<b><i>a</b></i>'],
  ['head', '<html><head><title>a</title></head><p>b</p></html>'],
  ['script', '<script><!-- <script></script> --></script>'],
  ['deep', '<div>'.repeat(100) + '</div>'.repeat(100)],
];

for (const [why, source] of refused) {
  test(`a source that would lose something is refused: ${why}, ${source.slice(0, 40)}`, () =>
    assert.throws(
      () => readSource(source),
      ({ reason }: Unreadable) => reason === why,
    ));
}

test('an element that the text cannot hold is one chip of its source', () => {
  const source = '<ul>{% for p in list %}<li>{{ p }}</li>{% endfor %}</ul>\n<p>a <svg><path d="M0"/></svg>&hearts; <b class="x"></b></p>';
  const { doc } = readSource(source);
  const chips: unknown[] = [];
  doc.descendants(({ attrs }) => {
    if (attrs['source'] !== undefined) chips.push(attrs['source']);
  });
  assert.deepEqual(chips, [source.split('\n')[0], '<svg><path d="M0"/></svg>', '&hearts;', '<b class="x"></b>']);
});
