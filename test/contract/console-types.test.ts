import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { adminText, indexText, permissionsText } from '../../console/editor/declarations.ts';
import { taskPermissions } from '../../contract/permissions.ts';
import { taskCalls } from '../../contract/task-calls.ts';
import { scriptTypes } from '../../tools/console-types.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const types = scriptTypes();
const MAX_BYTES = 124_000;

const CHECK = `
import type { CallOptions } from '${root}contract/calls.ts';
import type { TaskPermission } from '${root}contract/permissions.ts';
import type { Sign } from '${root}contract/http-signing.ts';
import type { Admin as Whole, HttpSign, ScriptWith } from '${root}sandbox-lib/index.ts';
import type { Admin as Flat } from './admin-types.ts';

type Full = ScriptWith<TaskPermission>['admin'];
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Args<F> = F extends (...args: infer A) => unknown ? A : never;
type Result<F> = F extends (...args: never) => infer R ? R : never;
/** A client takes options after the arguments that a script gives. */
type SameCall<F, W> = Same<Result<F>, Result<W>> extends true
  ? [Args<F>] extends [Args<W>] ? ([Args<W>] extends [[...Args<F>, options?: CallOptions]] ? true : 'arguments') : 'arguments'
  : 'answer';

type Different = {
  [R in keyof Flat]: {
    [N in keyof Flat[R]]: R extends keyof Whole ? (N extends keyof Whole[R] ? (SameCall<Flat[R][N], Whole[R][N]> extends true ? never : [R, N, SameCall<Flat[R][N], Whole[R][N]>]) : [R, N, 'unknown']) : [R, N, 'unknown'];
  }[keyof Flat[R]];
}[keyof Flat];
type Missing = {
  [R in keyof Full]: {
    [N in keyof Full[R]]: Full[R][N] extends (...args: never) => unknown ? (R extends keyof Flat ? (N extends keyof Flat[R] ? never : [R, N]) : [R, N]) : never;
  }[keyof Full[R]];
}[keyof Full];

export const different: [Different] extends [never] ? 'none' : Different = 'none';
export const missing: [Missing] extends [never] ? 'none' : Missing = 'none';

/** What a script may say of a signature is what the server knows. */
type Given = (typeof Sign)['_zod']['input'];
type Fields<T> = T extends unknown ? keyof T : never;
export const refused: Exclude<HttpSign, Given> extends never ? 'none' : Exclude<HttpSign, Given> = 'none';
export const lacking: Exclude<Fields<Given>, Fields<HttpSign>> extends never ? 'none' : Exclude<Fields<Given>, Fields<HttpSign>> = 'none';
`;

const SCRIPT = `
import { files, http, llm, mail, notify, parameters, prompt, tasks } from './index.ts';
import type { HttpSign } from './index.ts';
import type { Admin } from './admin-types.ts';
declare const admin: Admin;
export const list: Promise<{ data: { id: number }[] }> = admin.orders.list({ status: 'pending' });
export const days: number = parameters.days;
// @ts-expect-error: not declared
admin.orders.update_status(1, { status: 'shipped' });
// @ts-expect-error: not declared
files.write('a.txt', 'a');
// @ts-expect-error: not declared
llm.complete({ messages: [], max_tokens: 1 });
// @ts-expect-error: not declared
http.request({ url: 'https://api.example.com/' });
// @ts-expect-error: not declared
tasks.start('Report');
// @ts-expect-error: not declared
tasks.run('Report');
// @ts-expect-error: not declared
notify({ title: 'Done', body: 'Done' });
// @ts-expect-error: not declared
mail({ to: 'ann@example.com', subject: 'Done', text: 'Done' });
export const sign: HttpSign = { scheme: 'jwt-hs256', secret: 'key', claims: { iss: 'shop' } };
// @ts-expect-error: there is no such field
export const wrong: HttpSign = { scheme: 'basic', user: 'me', pasword: 'key' };
export const answers = prompt({ label: 'Which?', fields: [] });
export const digest: Promise<ArrayBuffer> = crypto.subtle.digest('SHA-256', new TextEncoder().encode('a'));
export const key: CryptoKey = await crypto.subtle.importKey('raw', new Uint8Array(1), { name: 'HMAC', hash: 'SHA-1' }, false, ['sign', 'verify']);
export const signed: boolean = await crypto.subtle.verify('HMAC', key, await crypto.subtle.sign('HMAC', key, new Uint8Array(1)), new Uint8Array(1));
export const headers: Headers = new Headers({ accept: 'a' });
export const pairs: [string, string][] = [...headers];
export const either: AbortSignal = AbortSignal.any([AbortSignal.timeout(5), new AbortController().signal]);
export const took: number = performance.now() + performance.timeOrigin;
export const copied: Map<string, number> = structuredClone(new Map([['a', 1]]), { transfer: [] });
console.time('a');
console.log('%s', 1);
// @ts-expect-error: it can be made by importKey alone
new CryptoKey();
// @ts-expect-error: there is no RSA
crypto.subtle.sign('RSA', key, new Uint8Array(1));
`;

/** TypeScript's report on these files; empty: nothing is wrong. */
async function compile(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'backroom-types-'));
  try {
    const config = {
      extends: join(root, 'sandbox-lib/tsconfig.json'),
      // Without this a client's optional field may be undefined, and a script's may not.
      compilerOptions: {
        exactOptionalPropertyTypes: false,
        noUnusedLocals: false,
        noUnusedParameters: false,
        typeRoots: [],
        module: 'esnext',
        moduleResolution: 'bundler',
        paths: {},
      },
      include: [],
      files: Object.keys(files),
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const tsc = join(root, 'node_modules/.bin/tsc');
    return await promisify(execFile)(tsc, ['--singleThreaded', '-p', folder]).then(
      () => '',
      (error: { stdout?: string }) => error.stdout ?? String(error),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('the flat types of the editor are those that sandbox-lib gives to tasks, call by call', async () => {
  assert.equal(types.calls.length, Object.keys(taskCalls()).length);
  const report = await compile({ 'admin-types.ts': adminText(types, new Set(taskPermissions)), 'check.ts': CHECK });
  assert.equal(report, '');
});

test('what a version does not declare does not compile, and its parameters are known by name', async () => {
  const declared = new Set(['admin_api.orders.read', 'prompt_input']);
  const report = await compile({
    ...types.library,
    'admin-types.ts': adminText(types, declared),
    'index.ts': indexText(declared, [{ name: 'days', kind: 'number', default: 7 }]),
    'permissions.ts': permissionsText,
    'script.ts': SCRIPT,
  });
  assert.equal(report, '');
});

test('the types are small enough to be loaded with the editor', () => {
  const bytes = Buffer.byteLength(adminText(types, new Set(taskPermissions))) + Buffer.byteLength(Object.values(types.library).join(''));
  assert.ok(bytes <= MAX_BYTES, `${bytes} bytes`);
});
