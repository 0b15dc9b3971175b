import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countriesIn, countryOf } from '../../console/ui/countries.ts';

test('a language that the browser names in a form of its own is left out, and the others are not', () => {
  const countries = countriesIn(['hu-HU', 'en-US@posix', 'C', '']);
  assert.deepEqual(
    ['Németország', 'Germany', 'Deutschland'].map((typed) => countryOf(countries, typed)?.code),
    ['DE', 'DE', 'DE'],
  );
});
