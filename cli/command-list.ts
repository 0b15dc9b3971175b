import type { Command } from './command.ts';
import { hookCommands } from './commands/hook.ts';
import { init } from './commands/init.ts';
import { adminCommands, decisionCommands, doctor, storeCommands } from './commands/local.ts';
import { login } from './commands/login.ts';
import { runWatch } from './commands/run-watch.ts';
import { runsCommands } from './commands/runs.ts';
import { runsCompare } from './commands/runs-compare.ts';
import { secretDelete, secretList, secretSet } from './commands/secret.ts';
import { shopCommands } from './commands/shop.ts';
import { signInLink } from './commands/sign-in-link.ts';
import { taskDiff, taskList, taskStatus } from './commands/task-look.ts';
import { taskNew } from './commands/task-new.ts';
import { taskPull } from './commands/task-pull.ts';
import { taskPush } from './commands/task-push.ts';
import { taskReplay } from './commands/task-replay.ts';
import { taskRun } from './commands/task-run.ts';
import { taskStateDelete, taskStateGet, taskStateList, taskStateSet } from './commands/task-state.ts';
import { taskTest } from './commands/task-test.ts';
import { tokenCreate } from './commands/token.ts';

/** All commands, in the order in which they are listed; the groups are the headings of the reference (`docs/cli.md`). */
export const commandGroups: readonly { title: string; commands: readonly Command[] }[] = [
  { title: 'A shop, a project', commands: [...shopCommands, init, login, doctor] },
  {
    title: 'Tasks',
    commands: [taskNew, taskList, taskTest, taskPush, taskStatus, taskDiff, taskPull, taskRun, taskReplay],
  },
  { title: 'What the runs of a task keep', commands: [taskStateSet, taskStateGet, taskStateList, taskStateDelete] },
  { title: 'Runs', commands: [runWatch, ...runsCommands, runsCompare] },
  { title: 'Hooks', commands: hookCommands },
  { title: 'Secrets', commands: [secretSet, secretList, secretDelete] },
  { title: 'Tokens, signing in', commands: [tokenCreate, signInLink, ...adminCommands] },
  { title: 'Decisions', commands: decisionCommands },
  { title: 'The store', commands: storeCommands },
];

export const commands: readonly Command[] = commandGroups.flatMap((group) => group.commands);
