import { existsSync } from 'node:fs';
import type { BlockList } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { z } from 'zod';
import { RUN_TOKEN_PREFIX } from '../contract/runner.ts';
import { type TracingConfig, tracingEnvironment, tracingOf } from '../tracing/config.ts';
import { KEY_RULE, parseKey, type SecretsKey } from './process/key-file.ts';
import { NETWORKS_RULE, parseNetworks } from './process/networks.ts';
import type { S3Settings } from './providers/files/s3.ts';

const VISIBLE = /^[\x21-\x7e]{32,255}$/;
const Secret = z
  .string()
  .regex(VISIBLE, 'expected 32 to 255 visible ASCII characters without spaces')
  .refine(
    (token) => !token.startsWith(RUN_TOKEN_PREFIX),
    `expected a token that does not begin with ${RUN_TOKEN_PREFIX}, which is reserved for the tokens of runs`,
  )
  .optional();

const Credential = z
  .string()
  .regex(/^[\x21-\x7e]{8,255}$/, 'expected 8 to 255 visible ASCII characters without spaces')
  .optional();

const EncryptionKey = z
  .string()
  .transform((text, ctx) => {
    const key = parseKey(text);
    if (key !== null) return key;
    ctx.issues.push({ code: 'custom', input: null, message: KEY_RULE });
    return z.NEVER;
  })
  .optional();

/** Where systems keep their fonts. */
const FONT_FOLDERS: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ['/usr/share/fonts', '/usr/local/share/fonts', join(homedir(), '.local/share/fonts'), join(homedir(), '.fonts')],
  darwin: ['/System/Library/Fonts', '/Library/Fonts', join(homedir(), 'Library/Fonts')],
  win32: ['C:\\Windows\\Fonts', join(homedir(), 'AppData\\Local\\Microsoft\\Windows\\Fonts')],
};

const Environment = z.object({
  /** Address to listen on. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Port to listen on; 0 takes any free one. */
  PORT: z.coerce.number({ error: 'expected a port from 0 to 65535' }).int().min(0).max(65_535).default(8787),
  /** Folder of the SQLite file and of uploaded files; servers of one shop share it. */
  DATA_DIR: z.string().min(1).default('./data'),
  /** postgres://…, or sqlite:FILE; default: SQLite in DATA_DIR. */
  DATABASE_URL: z
    .string()
    .regex(/^(postgres(ql)?:\/\/|sqlite:).+/, 'expected postgres://user:password@host/database or sqlite:FILE')
    .optional(),
  /** Connections to PostgreSQL. */
  DATABASE_POOL: z.coerce.number({ error: 'expected a number from 2 to 100' }).int().min(2).max(100).default(10),
  /** Address of the connection that hears other servers, default DATABASE_URL; off: other servers are not heard. */
  DATABASE_LISTEN_URL: z
    .string()
    .regex(/^(postgres(ql)?:\/\/.+|off)$/, 'expected postgres://user:password@host/database or off')
    .optional(),
  /** FULL: a power cut loses nothing. NORMAL: a power cut may lose the last moments; a crash of the process loses nothing. */
  SQLITE_SYNCHRONOUS: z.enum(['NORMAL', 'FULL']).default('NORMAL'),
  /** Token of the first owner; used only while no admin exists. */
  BOOTSTRAP_ADMIN_TOKEN: Secret,
  /** Token that a runner presents; it is registered at the start. */
  RUNNER_TOKEN: Secret,
  /** Seconds in which the first heartbeat of a claim must come; otherwise the run is offered again (spec RU4). */
  CLAIM_CONFIRM_SECONDS: z.coerce.number({ error: 'expected seconds from 1 to 600' }).int().min(1).max(600).default(5),
  /** Seconds that a claim stays in force without a heartbeat. */
  LEASE_SECONDS: z.coerce.number({ error: 'expected seconds from 1 to 600' }).int().min(1).max(600).default(30),
  /** Key that encrypts the secrets of tasks; default: that of the file `secrets.key` in DATA_DIR, which is made when it is needed. */
  SECRETS_KEY: EncryptionKey,
  /** Key from before a rotation, which still decrypts. */
  SECRETS_KEY_OLD: EncryptionKey,
  /** Requests per minute for each token; 0: no limit. */
  RATE_LIMIT: z.coerce
    .number({ error: 'expected a number of requests per minute, 0 for no limit' })
    .int()
    .min(0)
    .max(10_000_000)
    .default(6000),
  /** Addresses and networks of proxies whose X-Forwarded-For is believed, separated by commas. */
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text, ctx) => {
      const networks = parseNetworks(text);
      if (networks !== null) return networks;
      ctx.issues.push({ code: 'custom', input: null, message: NETWORKS_RULE });
      return z.NEVER;
    }),
  /** Origins that browsers may call from, separated by commas. */
  CORS_ORIGINS: z.string().default(''),
  /** Whether webhooks and the requests of tasks may go to private addresses and this machine. */
  ALLOW_PRIVATE_WEBHOOKS: z.enum(['true', 'false'], { error: 'expected true or false' }).default('false'),
  /** Secret key of the shop's Stripe account; without it the server sends no requests to Stripe. */
  STRIPE_SECRET_KEY: Credential,
  /** Secret with which Stripe signs its webhooks (whsec_…); without it they are refused. */
  STRIPE_WEBHOOK_SECRET: Credential,
  /** Address of Stripe's API. */
  STRIPE_API_BASE: z
    .string()
    .regex(/^https?:\/\/[^/?#@\s]+\/?$/, 'expected https://host or https://host:port')
    .default('https://api.stripe.com'),
  /** Key for EasyPost, used if the settings of the shop have none. */
  EASYPOST_API_KEY: z.string().min(1).optional(),
  /** Address of EasyPost's API. */
  EASYPOST_API_BASE: z.url({ protocol: /^https?$/, error: 'expected an http(s) address' }).default('https://api.easypost.com/v2'),
  /** How long a courier may take for one answer, in seconds. */
  COURIER_TIMEOUT_SECONDS: z.coerce.number({ error: 'expected seconds from 1 to 120' }).int().min(1).max(120).default(20),
  /** How long a dry run holds SQLite's writer while others wait for it, in milliseconds. */
  DRY_RUN_HOLD_MS: z.coerce.number({ error: 'expected milliseconds from 1 to 1000' }).int().min(1).max(1000).default(50),
  /** How long the passes of one dry run may take in all, in milliseconds. */
  DRY_RUN_TOTAL_MS: z.coerce.number({ error: 'expected milliseconds from 1 to 3600000' }).int().min(1).max(3_600_000).default(30_000),
  /** How long the language model may take for one answer, in seconds. */
  LLM_TIMEOUT_SECONDS: z.coerce.number({ error: 'expected seconds from 1 to 600' }).int().min(1).max(600).default(100),
  /** The font that labels are printed in first. */
  LABEL_FONT: z
    .string()
    .refine((file) => existsSync(file), 'expected the path of an existing TrueType file')
    .optional(),
  /** Where fonts are looked for that have the letters which the fonts above lack, separated by the system's separator of paths. */
  LABEL_FONT_FOLDERS: z.string().default((FONT_FOLDERS[process.platform] ?? []).join(delimiter)),
  /** Bucket for uploaded files instead of a folder. */
  FILES_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'expected the name of a bucket')
    .optional(),
  /** Address of an S3-compatible service; default: AWS. */
  FILES_S3_ENDPOINT: z.url({ protocol: /^https?$/, error: 'expected an http(s) address' }).optional(),
  FILES_S3_REGION: z.string().min(1).default('us-east-1'),
  FILES_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  FILES_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Level of the line that the access log writes for each request. */
  ACCESS_LOG: z.enum(['off', 'trace', 'debug', 'info'], { error: 'expected off, trace, debug or info' }).default('debug'),
  ...tracingEnvironment,
});

/** The names of all environment variables that the server reads. */
export const SERVER_VARIABLES: readonly string[] = Object.keys(Environment.shape);

export type ServerConfig = {
  host: string;
  port: number;
  /** `postgres://…` or the path of the SQLite file. */
  databaseUrl: string;
  databasePool: number;
  /** null: other servers are not heard. */
  databaseListenUrl: string | null;
  dataDir: string;
  /** Folder of uploaded files. */
  filesDir: string;
  /** null: files are in `filesDir`. */
  filesS3: S3Settings | null;
  sqliteSynchronous: 'NORMAL' | 'FULL';
  bootstrapAdminToken: string | undefined;
  runnerToken: string | undefined;
  secretsKey: SecretsKey | undefined;
  secretsKeyOld: SecretsKey | undefined;
  /** Holds the key if there is no `secretsKey`. */
  secretsKeyFile: string;
  claimConfirmSeconds: number;
  leaseSeconds: number;
  /** Requests per minute for each token; 0: no limit. */
  rateLimit: number;
  trustedProxies: BlockList;
  corsOrigins: readonly string[];
  allowPrivateWebhooks: boolean;
  stripe: { secretKey: string | undefined; webhookSecret: string | undefined; apiBase: string };
  courier: { easypostApiKey: string | undefined; easypostApiBase: string; timeoutMs: number };
  labelFonts: { file: string | undefined; folders: readonly string[] };
  dryRunHoldMs: number;
  dryRunTotalMs: number;
  llm: { timeoutMs: number };
  logLevel: string;
  /** null: requests are not logged. */
  accessLog: 'trace' | 'debug' | 'info' | null;
  /** null: there is no tracing. */
  tracing: TracingConfig | null;
};

export class ConfigError extends Error {}

/** Reads the server's environment. Throws a one-line ConfigError that names the variable and what it accepts. */
export function readConfig(env: NodeJS.ProcessEnv): ServerConfig {
  const known = Object.fromEntries(SERVER_VARIABLES.map((name) => [name, env[name] === '' ? undefined : env[name]]));
  const parsed = Environment.safeParse(known);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ConfigError(`${String(issue?.path[0])} is not valid: ${issue?.message}`);
  }
  const e = parsed.data;
  const file = e.DATABASE_URL?.startsWith('sqlite:') ? e.DATABASE_URL.slice('sqlite:'.length) : undefined;
  const databaseUrl = file ? resolve(file) : (e.DATABASE_URL ?? resolve(join(e.DATA_DIR, 'backroom.db')));
  return {
    host: e.HOST,
    port: e.PORT,
    databaseUrl,
    databasePool: e.DATABASE_POOL,
    databaseListenUrl: e.DATABASE_LISTEN_URL === 'off' ? null : (e.DATABASE_LISTEN_URL ?? databaseUrl),
    dataDir: resolve(e.DATA_DIR),
    filesDir: resolve(join(e.DATA_DIR, 'files')),
    filesS3: s3Of(e),
    sqliteSynchronous: e.SQLITE_SYNCHRONOUS,
    bootstrapAdminToken: e.BOOTSTRAP_ADMIN_TOKEN,
    runnerToken: e.RUNNER_TOKEN,
    secretsKey: e.SECRETS_KEY,
    secretsKeyOld: e.SECRETS_KEY_OLD,
    secretsKeyFile: resolve(join(e.DATA_DIR, 'secrets.key')),
    claimConfirmSeconds: e.CLAIM_CONFIRM_SECONDS,
    leaseSeconds: e.LEASE_SECONDS,
    rateLimit: e.RATE_LIMIT,
    trustedProxies: e.TRUSTED_PROXIES,
    corsOrigins: e.CORS_ORIGINS.split(',')
      .map((s) => s.trim())
      .filter(Boolean),
    allowPrivateWebhooks: e.ALLOW_PRIVATE_WEBHOOKS === 'true',
    stripe: { secretKey: e.STRIPE_SECRET_KEY, webhookSecret: e.STRIPE_WEBHOOK_SECRET, apiBase: e.STRIPE_API_BASE },
    courier: {
      easypostApiKey: e.EASYPOST_API_KEY,
      easypostApiBase: e.EASYPOST_API_BASE,
      timeoutMs: e.COURIER_TIMEOUT_SECONDS * 1000,
    },
    labelFonts: { file: e.LABEL_FONT, folders: e.LABEL_FONT_FOLDERS.split(delimiter).filter(Boolean) },
    dryRunHoldMs: e.DRY_RUN_HOLD_MS,
    dryRunTotalMs: e.DRY_RUN_TOTAL_MS,
    llm: { timeoutMs: e.LLM_TIMEOUT_SECONDS * 1000 },
    logLevel: e.LOG_LEVEL,
    accessLog: e.ACCESS_LOG === 'off' ? null : e.ACCESS_LOG,
    tracing: tracingOf(e),
  };
}

function s3Of(e: z.infer<typeof Environment>): S3Settings | null {
  if (e.FILES_S3_BUCKET === undefined) return null;
  const { FILES_S3_ACCESS_KEY_ID: accessKeyId, FILES_S3_SECRET_ACCESS_KEY: secretAccessKey } = e;
  if (accessKeyId === undefined) throw new ConfigError('FILES_S3_ACCESS_KEY_ID is missing: FILES_S3_BUCKET needs it');
  if (secretAccessKey === undefined) throw new ConfigError('FILES_S3_SECRET_ACCESS_KEY is missing: FILES_S3_BUCKET needs it');
  return { bucket: e.FILES_S3_BUCKET, region: e.FILES_S3_REGION, endpoint: e.FILES_S3_ENDPOINT, accessKeyId, secretAccessKey };
}
