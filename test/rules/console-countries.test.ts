import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countriesIn } from '../../console/ui/countries.ts';
import { namedOf } from '../../console/ui/named.ts';

test('a language that the browser names in a form of its own is left out, and the others are not', () => {
  const countries = countriesIn(['hu-HU', 'en-US@posix', 'C', '']);
  assert.deepEqual(
    ['Németország', 'Germany', 'Deutschland'].map((typed) => namedOf(countries, typed)?.code),
    ['DE', 'DE', 'DE'],
  );
});
