import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDraft } from '../../server/automation/tasks/check.ts';
import { createTypeChecker } from '../../server/type-check/check.ts';

/** Types that TypeScript works on for minutes, though each of them ends. */
const SLOW = `type Count<N extends number, T extends unknown[] = []> = T['length'] extends N ? T : Count<N, [...T, 1]>;
type Pairs<A extends string> = A extends string ? \`\${A}\${A}\` | Pairs2<A> : never; type Pairs2<A extends string> = \`x\${A}\`;
${Array.from({ length: 400 }, (_, n) => `const n${n}: Count<${500 + n}> = []; const s${n}: Pairs<'${'abc'.repeat(n)}'> = '';`).join('\n')}`;
const LARGE = `type Twice<S extends string, N extends 1[]> = N['length'] extends 40 ? S : Twice<\`\${S}\${S}\`, [...N, 1]>;
const text: Twice<'x', []> = '';`;

const script = (source: string) => ({ source, permissions: [], parameters: [] });

test('MC7: a check whose types take too long or too much is ended, says so, and the next one is answered', async () => {
  const types = createTypeChecker({ timeoutMs: 3000, memoryMb: 256 });
  try {
    for (const hostile of [SLOW, LARGE]) {
      const { unchecked, faults } = await types.check(script(hostile));
      if (hostile === SLOW) assert.match(unchecked ?? '', /not checked: they take more than 3 seconds or 256 MB/);
      else assert.ok(unchecked !== null || faults.length > 0);
    }
    // TypeScript repeats the whole name each time.
    const names = `interface Named { ${'n'.repeat(100_000)}: 1 }\n${Array.from({ length: 100 }, (_, n) => `let a${n}: Named = {};`).join('\n')}`;
    assert.ok(JSON.stringify(await types.check(script(names))).length < 200_000);
    const { unchecked, faults } = await types.check(script("const n: number = 'x';"));
    assert.deepEqual([unchecked, faults.length], [null, 1]);
  } finally {
    await types.close();
  }
});

test('attack: of many checks at once few are made, and the others are told to wait', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const nothing = async () => undefined;
  const services = {
    checker: { check: async () => ({ warnings: [], code: null }), close: nothing },
    types: { check: () => promise.then(() => ({ faults: [], needed: [], unchecked: null })), close: nothing },
  };
  const draft = {
    source_code: 'export default 1;',
    permissions: [],
    parameters: [],
    mail_to: [],
    http_allow: [],
    secrets: [],
    may_start: [],
  };
  const made = Array.from({ length: 8 }, () => checkDraft(services, draft));
  await assert.rejects(checkDraft(services, draft), /Other drafts are being checked/);
  resolve();
  await Promise.all(made);
  assert.deepEqual((await checkDraft(services, draft)).type_faults, []);
});
