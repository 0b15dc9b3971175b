import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { maskOf } from '../../server/automation/secrets/masks.ts';

const KEY = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzq3Lw8pT0v';
/** As RSA keys begin, then what looks random. */
const pemOf = (seed: string): string => {
  const digests = Array.from({ length: 16 }, (_, n) => createHash('sha512').update(`${seed} ${n}`).digest('base64').replaceAll('=', ''));
  const body = `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB${digests.join('')}`;
  return `-----BEGIN PRIVATE KEY-----\n${(body.match(/.{1,64}/g) ?? []).join('\n')}\n-----END PRIVATE KEY-----\n`;
};
const pem = pemOf('ours');
const account = {
  type: 'service_account',
  project_id: 'my-shop-prod-123456',
  client_email: 'robot@my-shop-prod-123456.iam.gserviceaccount.com',
  token_uri: 'https://oauth2.googleapis.com/token/v1/and/a/long/path/of/words',
  password: 'tr0ub4dor&3',
  private_key: pem,
};

const mask = (value: string, text: string): string => maskOf([{ name: 'key', value }]).mask(text);
const ENCODERS: Record<string, (text: string) => string> = {
  plain: (text) => text,
  json: (text) => JSON.stringify({ said: text }),
  'json in json': (text) => JSON.stringify(JSON.stringify({ said: text })),
  url: (text) => `?said=${encodeURIComponent(text)}&next=1`,
  html: (text) => `<p>${text.replaceAll('/', '&#x2F;').replaceAll('+', '&#43;')}</p>`,
  base64: (text) => Buffer.from(`said: ${text}`).toString('base64'),
  hex: (text) => Buffer.from(text).toString('hex'),
  'upper case': (text) => text.toUpperCase(),
};

test('halves of a key are masked in every form, with what stands beside the pieces that are known', () => {
  for (const part of [KEY.slice(0, 20), KEY.slice(20), KEY.slice(10, 35), KEY.slice(0, 39)]) {
    for (const [how, encode] of Object.entries(ENCODERS)) {
      const masked = mask(KEY, `before ${encode(part)} after`);
      assert.match(masked, /^before .*\[secret:key\].* after$/, `${part} ${how}`);
      const around = encode('#').replace('%23', '#').replace(/^23$/, '#');
      const kept = (how === 'base64' ? 'c2FpZDog#' : around).replace('#', '[secret:key]');
      assert.equal(masked.toLowerCase().replace(/=+ after/, ' after'), `before ${kept} after`.toLowerCase(), `${part} ${how}`);
    }
  }
});

test('each line of a PEM key is masked, also of one within JSON, and its first and last lines tell nothing', () => {
  const [begin, ...lines] = pem.trim().split('\n');
  const end = lines.pop();
  for (const value of [pem, JSON.stringify(account)]) {
    for (const line of lines.filter(({ length }) => length === 64)) {
      assert.match(mask(value, `{"line":"${line}"}`), /^\{"line":".{0,48}\[secret:key\]"\}$/, line);
    }
    for (const line of [begin, end]) assert.equal(mask(value, `${line}`), line);
  }
  const other = pemOf('theirs');
  assert.equal(mask(pem, other), other, 'another key of the kind is another text');
});

test('passwords in a secret are masked by themselves', () => {
  assert.equal(mask(JSON.stringify(account), '{"error":"tr0ub4dor&3 is wrong"}'), '{"error":"[secret:key] is wrong"}');
  assert.equal(mask('me:tr0ub4dor&3', 'tr0ub4dor&3 is wrong'), '[secret:key] is wrong');
  assert.equal(mask('https://me:tr0ub4dor@example.com/x', 'tr0ub4dor is wrong'), '[secret:key] is wrong');
});

test('what anybody could write stays: names, addresses, words and numbers of a secret', () => {
  const harmless = [
    ...Object.entries(account)
      .filter(([name]) => !/^p.*(word|key)$/.test(name))
      .map(([name, text]) => `${name}: ${text}`),
    '-----BEGIN PRIVATE KEY-----',
    'private_key',
  ];
  for (const text of harmless) assert.equal(mask(JSON.stringify(account), text), text);
  const hook = 'https://hooks.slack.com/services/T00000000/B00000000/q3Lw8pT0vXb5Kd9RmZs2Hc7N';
  for (const text of ['https://hooks.slack.com/services/T1/B2/other', 'hooks.slack.com']) assert.equal(mask(hook, text), text);
  assert.equal(mask(hook, '{"path":"/q3Lw8pT0vXb5"}'), '{"path":"/[secret:key]"}');
  const jwt = (payload: string) =>
    `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${Buffer.from(payload).toString('base64url')}.q3Lw8pT0vXb5Kd9RmZs2Hc7N`;
  const other = jwt('{"sub":1}').replace(/[^.]*$/, 'Zx8Yw6Vu4Ts2Rq0Po9Nm7Lk5');
  assert.equal(mask(jwt('{"sub":2}'), other), other, 'another token with the same header');
  const words = 'correct horse battery staple internationalization';
  assert.equal(mask(words, 'internationalization of the battery'), 'internationalization of the battery');
});

test('who knows the beginning of a secret learns no further character from what is masked of his guesses', () => {
  const random = 'q3Lw8pT0vXb5Kd9RmZs2Hc7N4Jy6Fg1';
  for (const known of ['sk_live_', 'sk_live_q3Lw8pT0vX', `sk_live_${random.slice(0, 20)}`]) {
    const secret = `sk_live_${random}`;
    const treated = [...'abcdefghijklmnopqrstuvwxyz0123456789'].map((guess) =>
      mask(secret, `${known}${guess}`).replace(`${known}${guess}`, 'as it is'),
    );
    assert.equal(new Set(treated).size, 1, `${known}: ${treated}`);
  }
});

test('4 MiB of answers take one pass for thousands of pieces', async () => {
  const value = Array.from({ length: 250 }, (_, n) =>
    Buffer.from(`${n}`.repeat(9))
      .toString('base64')
      .replace(/[^A-Za-z0-9]/g, 'x3Y'),
  )
    .join('\n')
    .slice(0, 16_000);
  let work = 0;
  const { maskBytes } = maskOf([{ name: 'key', value }], async (steps) => {
    for (;;) {
      const { done, value: next } = steps.next();
      if (done) return next;
      work += next;
    }
  });
  const text = 'ordinary words of an answer, '.repeat(4 * 36_000);
  assert.equal((await maskBytes(Buffer.from(text))).toString(), text);
  assert.ok(work < 20 * text.length, `${work} for ${text.length} characters`);
});
