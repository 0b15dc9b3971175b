import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soughtIn } from '../../server/values/words.ts';

test('the words of q: what may be an id, a public id or a phone number', () => {
  const seen = (q: string) =>
    soughtIn(q).map(({ words, digits }) => [words.map(({ text, id, prefix }) => [text, id, prefix].join(' ')), digits]);
  assert.deepEqual(seen('  anna   #1042 '), [
    [['ANNA  ANNA'], null],
    [['1042 1042 1042'], '1042'],
  ]);
  assert.deepEqual(seen('+41 (44) 123'), [[['+41  ', '(44)  ', '123 123 123'], '4144123']]);
  assert.deepEqual(seen('#'), [[['#  '], null]]);
  assert.deepEqual(seen('12'), [[['12 12 '], null]]);
  assert.deepEqual(seen('99999999999999999999'), [[['99999999999999999999  '], '99999999999999999999']]);
  assert.deepEqual(seen(''), []);
});
