import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { MISSING, type SeenTexts, seenPath, staleIn, textFiles, textsNow } from '../../tools/console-texts.ts';

/** What the console says is complete in each language, and no translation is of an English text that was changed since. */

const files = textFiles();

test('each text of the console is there in each language', () => {
  assert.ok(files.length > 30);
  const missing = files.flatMap((file) =>
    Object.entries(textsNow(file)).flatMap(([place, now]) => (now.split(' ').includes(MISSING) ? [`${file}.${place}`] : [])),
  );
  assert.deepEqual(missing, []);
});

test('no translation is of an English text that has changed: translate it anew, then run `npm run texts`', () => {
  const unseen = files.flatMap((file) => {
    const seen: SeenTexts = JSON.parse(readFileSync(seenPath(file), 'utf8'));
    const now = textsNow(file);
    return [...new Set([...Object.keys(seen), ...Object.keys(now)])]
      .filter((place) => seen[place] !== now[place])
      .map((place) => `${file}.${place}`);
  });
  assert.deepEqual(unseen, []);
});

test('a text is stale in the languages that still say what they said before', () => {
  assert.deepEqual(staleIn('aa 11 22 33', 'bb 11 23 33'), ['de', 'fr']);
  assert.deepEqual(staleIn('aa 11 22 33', 'aa 11 23 33'), []);
  assert.deepEqual(staleIn(undefined, 'aa 11 22 33'), []);
});
