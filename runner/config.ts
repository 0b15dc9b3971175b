import { hostname } from 'node:os';
import { z } from 'zod';
import { RUN_TOKEN_PREFIX } from '../contract/runner.ts';
import { tracingEnvironment, tracingOf } from '../tracing/config.ts';
import { isLayer, LAYERS, type Layer } from './isolation/layers.ts';
import type { RUNNER_VARIABLES } from './variables.ts';

/** An address at which a server may listen. */
export const ServerUrl = z
  .url({ protocol: /^https?$/, abort: true, error: 'must be an http:// or https:// address' })
  .refine((url) => !/[@?#]/.test(url), 'must not contain a user name, a query or a fragment');

const Environment = z.object({
  /** Where the server listens; `-`: the standard input says it in its first line. */
  SERVER_URL: z
    .string()
    .transform((text, context) => {
      if (text === '-') return null;
      const { data, error } = ServerUrl.safeParse(text);
      for (const { message } of error?.issues ?? []) context.addIssue(message);
      return data ?? z.NEVER;
    })
    .default('http://127.0.0.1:8787'),
  /** A token with the permission `admin_api.runner.write`. */
  RUNNER_TOKEN: z
    .string({ error: 'is required' })
    .regex(/^[\x21-\x7e]+$/, 'must consist of printable ASCII characters without blanks')
    .refine((token) => !token.startsWith(RUN_TOKEN_PREFIX), `must not begin with ${RUN_TOKEN_PREFIX}, as the tokens of runs do`),
  /** How many runs the runner executes at a time. */
  RUNNER_SLOTS: z
    .string()
    .regex(/^([1-9]|[1-5][0-9]|6[0-4])$/, 'must be a whole number from 1 to 64')
    .default('2')
    .transform(Number),
  /** The name of this runner on the server's status page. */
  RUNNER_NAME: z.string().max(100, 'must have at most 100 characters').default(`${hostname()}-${process.pid}`.slice(-100)),
  /** Names of sandbox layers, separated by commas: the runner does not start without them (`backroom doctor` lists them). */
  RUNNER_ISOLATION_REQUIRED: z
    .string()
    .default('')
    .transform((text) => text.split(',').map((name) => name.trim()))
    .transform((names) => names.filter((name) => name !== ''))
    .refine((names): names is Layer[] => names.every(isLayer), `must list only ${LAYERS.join(', ')}`),
  /**
   * The user id that workers run as, which should not be able to read the runner's files. To use it, the runner must be root
   * or have CAP_SETUID, CAP_SETGID and CAP_KILL.
   */
  RUNNER_WORKER_UID: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of a user other than root')
    .transform(Number)
    .optional(),
  /** Port of the loopback interface on which the runner answers for its health; 0 takes any free one; default: it does not. */
  RUNNER_HEALTH_PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port from 0 to 65535')
    .transform(Number)
    .refine((port) => port <= 65_535, 'must be a port from 0 to 65535')
    .optional(),
  /** How long a run that waits for a person keeps its worker, in seconds. */
  PROMPT_HOLD_SECONDS: z
    .string()
    .regex(/^(\d{1,3}|[1-2]\d{3}|3[0-5]\d{2}|3600)$/, 'must be seconds from 0 to 3600')
    .default('60')
    .transform(Number),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be trace, debug, info, warn, error, fatal or silent',
    })
    .default('info'),
  ...tracingEnvironment,
} satisfies Record<(typeof RUNNER_VARIABLES)[number], z.ZodType>);

const Config = Environment.transform((env) => ({
  serverUrl: env.SERVER_URL,
  runnerToken: env.RUNNER_TOKEN,
  slots: env.RUNNER_SLOTS,
  name: env.RUNNER_NAME,
  isolationRequired: env.RUNNER_ISOLATION_REQUIRED,
  workerUid: env.RUNNER_WORKER_UID ?? null,
  healthPort: env.RUNNER_HEALTH_PORT ?? null,
  promptHoldMs: env.PROMPT_HOLD_SECONDS * 1000,
  logLevel: env.LOG_LEVEL,
  /** null: there is no tracing. */
  tracing: tracingOf(env),
}));
export type Config = z.infer<typeof Config>;

/** Checks the environment. `problem` says in one line what is wrong; it never contains a value, because one of them is a secret. */
export function readConfig(env: Record<string, string | undefined>): Config | { problem: string } {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = Config.safeParse(given);
  if (parsed.success) return parsed.data;
  return { problem: parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ') };
}
