import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { emptyShop } from '../shop-data/filled-store.ts';

test('a wrong command line ends with one line and code 2', async (t) => {
  const { url } = await emptyShop(t, 'sqlite');
  for (const [args, message] of [
    [['ops/import.ts', 'offline', 'x.csv'], /^the source "offline" is unknown; use: backroom db import online-retail FILE.csv.gz.*\n$/],
    [['ops/import.ts', 'online-retail'], /^exactly one file is expected; use: .*\n$/],
    [['ops/sample-shop.ts', '--orders', 'many'], /^--orders is "many": an integer from 0 to 10000000 is expected\n$/],
    [['ops/sample-shop.ts', '--clock', 'noon'], /^--clock is "noon": a time such as .* is expected\n$/],
    [['ops/sample-shop.ts', '--colour', 'red'], /^Unknown option '--colour'.*\n$/],
  ] as const) {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, DATABASE_URL: `sqlite:${url}` },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = await once(child, 'close');
    assert.equal(code, 2, output);
    assert.match(output, message);
  }
});
