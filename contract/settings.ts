import { z } from 'zod';
import { changeTypes, isChangeType } from './changes.ts';
import { Decisions } from './decisions.ts';
import { endpointsOf } from './endpoint.ts';
import { Locale } from './pages.ts';
import { Country, Email } from './people.ts';
import { LimitsMax } from './runner.ts';
import { LOCKER_NETWORK } from './shipments.ts';
import { CentsInput, listOf, Name, text } from './values.ts';

/** The settings, one record for the whole shop. Secrets can be set but are never returned; a field `…_set` says whether one is set. */

const invalid = (message: string) => ({ message, params: { code: 'invalid_value' } });

export const approvalPolicies = ['author', 'added_permissions', 'second_admin'] as const;
export const executors = ['runner', 'external'] as const;

const Currency = z
  .string()
  .refine((value) => /^[A-Z]{3}$/.test(value), invalid('must be three upper-case letters, a currency code of ISO 4217'));

/** A time zone of the IANA database, in its canonical spelling. */
export const TimeZone = z.string().transform((value, ctx) => {
  try {
    if (/^[A-Za-z]/.test(value)) return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  ctx.issues.push({
    code: 'custom',
    input: value,
    message: 'must be a time zone such as Europe/Vienna',
    params: { code: 'invalid_value' },
  });
  return z.NEVER;
});

/** One rate of the built-in courier: what a parcel costs and how long it takes. */
export const CourierRate = z
  .object({
    courier_id: z
      .string()
      .refine((value) => LOCKER_NETWORK.test(value), invalid('must be 1 to 32 of a-z, 0-9, _ and -, beginning with a letter or a digit')),
    courier_name: Name,
    cost_cents: CentsInput,
    /** Added for each kilogram or part of one. */
    per_kg_cents: CentsInput.default(0),
    /** The rate is not offered for heavier parcels; null: no limit. */
    max_weight_grams: z.int().min(1).nullable().default(null),
    /** Countries that the rate serves; empty: all. */
    countries: listOf(Country, 300).default([]),
    delivery_estimate: text().default(''),
  })
  .meta({ id: 'CourierRate' });
export type CourierRate = z.infer<typeof CourierRate>;

/** The address that parcels are sent from. */
export const SenderAddress = z
  .object({
    name: Name,
    line1: Name,
    line2: text().default(''),
    city: Name,
    state: text().default(''),
    postal_code: text(),
    country: Country,
    phone: text().default(''),
    email: Email.default(''),
  })
  .meta({ id: 'SenderAddress' });
export type SenderAddress = z.infer<typeof SenderAddress>;

export const courierProviders = ['manual', 'easypost'] as const;

const courierFields = {
  provider: z.enum(courierProviders),
  sender: SenderAddress.nullable(),
  /** The assumed weight of a piece whose variant has no weight. */
  default_weight_grams: z.int().min(1).max(1_000_000),
  rate_card: listOf(CourierRate, 100, ({ courier_id }) => courier_id).meta({ description: 'Rates of the courier `manual`' }),
};

const EasypostKey = text({ min: 1 });

export const CourierSettings = z.object({ ...courierFields, easypost_api_key_set: z.boolean() }).meta({ id: 'CourierSettings' });
export type CourierSettings = z.infer<typeof CourierSettings>;

const OneLine = text({ min: 1, trim: true }).refine((value) => !/[\r\n]/.test(value), invalid('must be one line'));

const smtpFields = {
  host: OneLine,
  port: z.int().min(1).max(65_535),
  /** true: TLS from the first byte (port 465). false: STARTTLS if the server offers it. */
  secure: z.boolean(),
  /** Empty: the shop sends without logging in. */
  user: text(),
  /** `Shop <shop@example.com>`, or only the address. */
  from: text({ min: 1, trim: true }).refine(
    (value) => /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value),
    invalid('must be an e-mail address such as shop@example.com or Shop <shop@example.com>, on one line'),
  ),
};

export const SmtpSettings = z.object({ ...smtpFields, password_set: z.boolean() }).meta({ id: 'SmtpSettings' });
export type SmtpSettings = z.infer<typeof SmtpSettings>;

const llmFields = {
  base_url: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) address such as https://api.openai.com/v1' })
    .refine((url) => !/[?#@]/.test(url), invalid('must be an address without user name, query and fragment'))
    .meta({ description: 'Base URL of an OpenAI-compatible API; it may be on this machine or in a private network' }),
  model: OneLine,
};

export const LlmSettings = z.object({ ...llmFields, api_key_set: z.boolean() }).meta({ id: 'LlmSettings' });
export type LlmSettings = z.infer<typeof LlmSettings>;

export const assistantProviders = ['openai', 'anthropic'] as const;

const tokens = (description: string) => z.int().min(1000).max(1_000_000_000).meta({ description });

const assistantFields = {
  provider: z.enum(assistantProviders).meta({
    description:
      '`openai`: any server that speaks the chat completions of OpenAI, hosted or on this machine; `anthropic`: the Messages API',
  }),
  base_url: llmFields.base_url.meta({ description: 'Base URL of the API; default: that of the provider' }),
  model: OneLine,
  thread_tokens: tokens('The most tokens that one thread may use'),
  day_tokens: tokens('The most tokens that the whole shop may use on one day of its time zone'),
  admin_day_tokens: tokens('The most tokens that one admin may use on one day'),
  keep_days: z.int().min(1).max(3650).meta({ description: 'Days that a thread is kept after its last change' }),
};

export const AssistantSettings = z.object({ ...assistantFields, api_key_set: z.boolean() }).meta({ id: 'AssistantSettings' });
export type AssistantSettings = z.infer<typeof AssistantSettings>;

/** The origin of an https address without a path; http is accepted for this machine alone. */
function asOrigin(value: string, ctx: z.RefinementCtx): string {
  const url = URL.parse(value);
  const isPlain = url !== null && url.pathname === '/' && !/[?#@]/.test(value);
  const isLocal = url?.protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (isPlain && (url.protocol === 'https:' || isLocal)) return url.origin;
  const message = 'must be an address such as https://shop.example.com, without a path';
  ctx.issues.push({ code: 'custom', input: value, message, params: { code: 'invalid_value' } });
  return z.NEVER;
}

/** Which plans take two persons: whoever started the dry run does not apply them (spec DE8). */
export const FourEyes = z
  .object({
    writes_over: z
      .int()
      .min(0)
      .max(10_000)
      .nullable()
      .meta({ description: 'Plans with more writes than this; null: their number does not matter' }),
    kinds: listOf(z.enum(kindsOfRecords()), 100).meta({ description: 'Plans that change records of these kinds' }),
  })
  .meta({ id: 'FourEyes' });
export type FourEyes = z.infer<typeof FourEyes>;

function kindsOfRecords() {
  return Object.keys(changeTypes).filter(isChangeType);
}

/** The settings that say who decides how; each change of them is the act `policy` (spec DE1). */
export const policySettings = ['approval_policy', 'decisions', 'four_eyes', 'policy_four_eyes', 'audit_days'] as const;

const fields = {
  shop_name: Name,
  approval_policy: z.enum(approvalPolicies),
  default_executor: z.enum(executors),
  /** After so long without a request of the client that drives a run, the run is interrupted. */
  external_timeout_minutes: z.int().min(1).max(10_080),
  currency: Currency,
  currency_exponent: z.int().min(0).max(4),
  locale: Locale,
  locales: listOf(Locale, 100).meta({
    description: 'Languages, besides `locale`, that texts of pages may be translated to. Empty: any language',
  }),
  timezone: TimeZone,
  prices_include_tax: z.boolean(),
  low_stock_threshold: z.int().min(0),
  file_max_bytes: z.int().min(0),
  storage_total_bytes: z.int().min(0),
  credit_value_minor: z.int().min(1).meta({ description: 'Value of one credit when it is spent, in minor currency units' }),
  locker_networks: listOf(
    z
      .string()
      .refine((value) => LOCKER_NETWORK.test(value), invalid('must be 1 to 32 of a-z, 0-9, _ and -, beginning with a letter or a digit')),
    100,
  ).meta({ description: 'Locker networks that are accepted. Empty: any name' }),
  /** How often, and for how many days, a buyer can download a sold file; null: no limit. */
  download_limit: z.int().min(1).nullable(),
  download_days: z.int().min(1).max(36_500).nullable(),
  journal_days: z.int().min(1).max(3650),
  run_days: z.int().min(1).max(3650),
  log_days: z.int().min(1).max(3650).nullable().meta({ description: 'Days that entries of `/logs` are kept; null: forever' }),
  notification_days: z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .meta({ description: 'Days that notifications are kept, read or not; null: forever' }),
  event_days: z
    .int()
    .min(1)
    .max(3650)
    .meta({ description: 'Days that events of the shop are kept after webhooks and triggers have processed them' }),
  mail_days: z.int().min(1).max(3650).meta({ description: 'Days that mails are kept after they were sent or have failed' }),
  task_mails_per_day: z
    .int()
    .min(0)
    .max(1_000_000)
    .meta({ description: 'So many mails all tasks together may write on one day of the shop’s time zone' }),
  public_url: z.string().transform(asOrigin).nullable().meta({
    description: 'The address at which customers reach this server, such as https://shop.example.com; links in mails begin with it',
  }),
  audit_days: z
    .int()
    .min(30)
    .max(36_500)
    .nullable()
    .meta({ description: 'Days that entries of the audit log are kept; null: forever. Only owners can change it' }),
  four_eyes: FourEyes,
  policy_four_eyes: z.boolean().meta({
    description:
      'Whether one owner proposes a change of these rules, or of who is an owner, and another applies it (`/policy-changes`). Only owners can change it',
  }),
  /** The highest value to which tasks may raise each limit; a limit that is missing here may be raised to its own maximum. */
  limits_max: LimitsMax,
};

export const ShopSettings = z
  .object({
    ...fields,
    locale: z.string(),
    locales: z.array(z.string()),
    timezone: z.string(),
    public_url: z.string().nullable(),
    decisions: Decisions,
    courier: CourierSettings,
    smtp: SmtpSettings.nullable(),
    llm: LlmSettings.nullable(),
    assistant: AssistantSettings.nullable().meta({ description: 'The model that writes drafts with admins; null: the assistant is off' }),
    passkeys_suggested: z.boolean().meta({
      description: 'Whether two admins have passkeys and still no act asks for a gesture; read-only',
    }),
    payment_provider_configured: z
      .boolean()
      .meta({ description: 'Whether the environment of the server configures a payment provider; read-only' }),
  })
  .meta({ id: 'ShopSettings' });
export type ShopSettings = z.infer<typeof ShopSettings>;

/** Any subset of the fields; `courier`, `smtp`, `llm` and `assistant` are merged field by field. */
export const SettingsPatch = z
  .object({
    ...fields,
    decisions: Decisions.partial().meta({ description: 'What each act asks of the admin who decides. Only owners can change it' }),
    courier: z.object({ ...courierFields, easypost_api_key: EasypostKey.nullable() }).partial(),
    smtp: z
      .object({ ...smtpFields, password: text().nullable() })
      .partial()
      .nullable()
      .meta({
        description:
          'null: no mail is sent. A change of host, port, secure or user removes the password, unless the request also sends one.',
      }),
    llm: z
      .object({ ...llmFields, api_key: text({ min: 1 }).nullable() })
      .partial()
      .nullable()
      .meta({
        description:
          'null: no language model. Only owners can change it. A change of base_url removes the key, unless the request also sends one.',
      }),
    assistant: z
      .object({ ...assistantFields, api_key: text({ min: 1 }).nullable() })
      .partial()
      .nullable()
      .meta({
        description:
          'null: the assistant is off. Only owners can change it. A change of provider or base_url removes the key, unless the request also sends one.',
      }),
  })
  .partial()
  .meta({ id: 'SettingsPatch' });
export type SettingsPatch = z.infer<typeof SettingsPatch>;

export const settingsEndpoints = endpointsOf(
  {
    id: 'settings.get',
    method: 'GET',
    path: '/settings',
    summary: 'Get the settings of the shop, without secrets',
    permission: 'admin_api.settings.read',
    record: 'settings',
    response: ShopSettings,
  },
  {
    id: 'settings.update',
    method: 'PATCH',
    path: '/settings',
    summary: 'Change settings; omitted fields keep their values',
    permission: 'admin_api.settings.write',
    record: 'settings',
    body: SettingsPatch,
    response: ShopSettings,
    decides: true,
    refusals: [
      'currency_fixed',
      'passkey_missing',
      'second_person_missing',
      'second_person_required',
      'invalid_enum',
      'invalid_locale',
      'duplicate',
      'precondition_failed',
    ],
  },
);
