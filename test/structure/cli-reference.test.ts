import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Command, helpOf } from '../../cli/command.ts';
import { commands } from '../../cli/command-list.ts';
import { UsageError } from '../../cli/failure.ts';
import { cliReference } from '../../tools/cli-reference.ts';

/** `docs/cli.md` is made from the commands, and these say all that they accept. */

/** Commands that pass their arguments on to a program of their own. */
const PASSED_ON = ['start', 'demo', 'doctor', 'task test', 'admin create', 'admin sign-in-link', 'secrets rotate'];
const isPassedOn = ({ name }: Command): boolean =>
  PASSED_ON.includes(name) || name.startsWith('db ') || name === 'verify approvals' || name === 'policy reset';

test('docs/cli.md says what the commands say; `npm run cli-reference` writes it anew', () => {
  const written = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  assert.equal(written, cliReference());
});

test('each option that a command accepts is described, and no other', async () => {
  for (const command of commands) {
    const described = (command.options ?? []).map(([typed]) => typed.split(' ')[0] ?? '');
    assert.equal(new Set(described).size, described.length, `${command.name}: an option is described twice`);
    const inUsage = command.usage.match(/--[a-z-]+/g) ?? [];
    assert.deepEqual(
      inUsage.filter((option) => !described.includes(option)),
      [],
      command.name,
    );
    if (isPassedOn(command)) continue;
    assert.deepEqual(new Set(described), new Set(await acceptedBy(command)), command.name);
  }
});

/** A command names what it accepts when it is given an option that there is not. */
async function acceptedBy(command: Command): Promise<string[]> {
  const refusal = await command.run(['--none-such']).then(
    () => assert.fail(`${command.name} accepted --none-such`),
    (error: unknown) => error,
  );
  assert.ok(refusal instanceof UsageError, command.name);
  const [, names = ''] = refusal.message.split('; accepted are ');
  return names.split(', ').filter((name) => name !== '--help');
}

test('the help of a command has its options and notes', () => {
  const command = commands.find(({ name }) => name === 'task new');
  assert.ok(command);
  const help = helpOf(command);
  assert.match(help, /^backroom task new NAME \[--from EXAMPLE\] .*\n {2}writes the files of a new task/);
  assert.match(help, /\n {2}--title TITLE {3}the task's name on the server/);
  assert.doesNotMatch(help, /undefined/);
});
