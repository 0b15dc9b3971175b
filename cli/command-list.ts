import type { Command } from './command.ts';
import { hookCommands } from './commands/hook.ts';
import { init } from './commands/init.ts';
import { local } from './commands/local.ts';
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
import { tokenCreate } from './commands/token.ts';

/** All commands, in the order in which they are listed. */
export const commands: readonly Command[] = [
  ...shopCommands,
  init,
  login,
  taskNew,
  taskList,
  taskPull,
  taskPush,
  taskDiff,
  taskStatus,
  taskRun,
  taskReplay,
  taskStateList,
  taskStateGet,
  taskStateSet,
  taskStateDelete,
  runWatch,
  ...runsCommands,
  runsCompare,
  ...hookCommands,
  secretSet,
  secretList,
  secretDelete,
  tokenCreate,
  signInLink,
  ...local,
];
