import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailKey } from '../../contract/emails.ts';

test('equal emails have one key, other ones another', () => {
  const same = [
    [' Ann@Example.com ', 'ANN@EXAMPLE.COM'],
    ['ann@müller.example', 'ANN@xn--MLLER-kva.example'],
    ['é@a.example', 'E\u0301@a.example'],
    ['ΟΔΟΣ@a.example', 'οδος@a.example'],
    ['a@x@müller.example', 'A@X@xn--mller-kva.example'],
    ['', ' '],
  ] as const;
  for (const [one, other] of same) assert.equal(emailKey(one), emailKey(other));
  const apart = [
    'straße@a.example',
    'strasse@a.example',
    'i@a.example',
    'ı@a.example',
    'İ@a.example',
    'e@a.example',
    'é@a.example',
    'ü',
    'u',
  ];
  assert.equal(new Set(apart.map(emailKey)).size, apart.length);
  assert.equal(emailKey('ann@example.com'), 'ANN@EXAMPLE.COM');
});
