import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slugOf, withoutMarks } from '../../contract/texts.ts';

test('a slug has the Latin letters of a name, whatever marks they bear', () => {
  const slugs = {
    'Grüner Tee, 100 g': 'gruener-tee-100-g',
    'Gru\u0308ner Tee': 'gruener-tee',
    'Rødgrød med fløde': 'rodgrod-med-flode',
    Łódź: 'lodz',
    'Æbleskiver & Œuvre': 'aebleskiver-oeuvre',
    'Đặng Ðan Þór': 'dang-dan-thor',
    'Straße ẞ': 'strasse-ss',
    'Crème brûlée': 'creme-brulee',
    ışık: 'isik',
    Чай: '',
    'Чай 100 g': '100-g',
    '– –': '',
  };
  assert.deepEqual(Object.fromEntries(Object.keys(slugs).map((name) => [name, slugOf(name)])), slugs);
});

test('a slug that is too long ends with a letter', () => {
  assert.equal(slugOf(`${'a'.repeat(63)} b`, 64), 'a'.repeat(63));
  assert.equal(slugOf('a'.repeat(101)).length, 100);
});

test('text without marks is the same for each way to write it', () => {
  for (const [one, other] of [
    ['Lelièvre', 'lelievre'],
    ['Łódź', 'LODZ'],
    ['Erdős', 'Erdös'],
    ['Straße', 'STRASSE'],
    ['ﬁn', 'fin'],
    ['ΟΔΟΣ', 'οδός'],
  ] as const)
    assert.equal(withoutMarks(one), withoutMarks(other));
});
