import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Locale } from './pages.ts';
import { Country, Email } from './people.ts';
import { LimitsMax } from './runner.ts';
import { LOCKER_NETWORK } from './shipments.ts';
import { CentsInput, listOf, Name, text } from './values.ts';

/** The one record of the shop as a whole. Secrets go in and never come out: `…_set` says whether there is one. */

const invalid = (message: string) => ({ message, params: { code: 'invalid_value' } });

export const approvalPolicies = ['author', 'added_permissions', 'second_admin'] as const;
export const executors = ['runner', 'external'] as const;

const Currency = z.string().refine((value) => /^[A-Z]{3}$/.test(value), invalid('three upper-case letters, ISO 4217'));

/** A zone of the IANA data base, in its own spelling. */
export const TimeZone = z.string().transform((value, ctx) => {
  try {
    if (/^[A-Za-z]/.test(value)) return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  ctx.issues.push({ code: 'custom', input: value, message: 'a time zone such as Europe/Vienna', params: { code: 'invalid_value' } });
  return z.NEVER;
});

/** One offer of the built-in courier: what a parcel costs and how long it takes. */
export const CourierRate = z
  .object({
    courier_id: z.string().refine((value) => LOCKER_NETWORK.test(value), invalid('1-32 of a-z, 0-9, _ and -')),
    courier_name: Name,
    cost_cents: CentsInput,
    /** On top, for each kilogram begun. */
    per_kg_cents: CentsInput.default(0),
    /** Heavier parcels are not offered this rate; null: no limit. */
    max_weight_grams: z.int().min(1).nullable().default(null),
    /** Empty: all. */
    countries: listOf(Country, 300).default([]),
    delivery_estimate: text().default(''),
  })
  .meta({ id: 'CourierRate' });
export type CourierRate = z.infer<typeof CourierRate>;

/** Where parcels come from. */
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
  /** Of a piece whose variant has no weight. */
  default_weight_grams: z.int().min(1).max(1_000_000),
  rate_card: listOf(CourierRate, 100, ({ courier_id }) => courier_id).meta({ description: 'Offers of the courier `manual`' }),
};

const EasypostKey = text({ min: 1 });

export const CourierSettings = z.object({ ...courierFields, easypost_api_key_set: z.boolean() }).meta({ id: 'CourierSettings' });
export type CourierSettings = z.infer<typeof CourierSettings>;

const OneLine = text({ min: 1, trim: true }).refine((value) => !/[\r\n]/.test(value), invalid('one line'));

const smtpFields = {
  host: OneLine,
  port: z.int().min(1).max(65_535),
  /** True: TLS from the first byte (port 465); false: STARTTLS where the server offers it. */
  secure: z.boolean(),
  /** Empty: no log-in. */
  user: text(),
  /** `Shop <shop@example.com>`, or the address alone. */
  from: text({ min: 1, trim: true }).refine(
    (value) => /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value),
    invalid('an address of mail on one line'),
  ),
};

export const SmtpSettings = z.object({ ...smtpFields, password_set: z.boolean() }).meta({ id: 'SmtpSettings' });
export type SmtpSettings = z.infer<typeof SmtpSettings>;

const llmFields = {
  base_url: z
    .url({ protocol: /^https?$/, error: 'an http(s) address such as https://api.openai.com/v1' })
    .refine((url) => !/[?#@]/.test(url), invalid('an address without user, query and fragment'))
    .meta({ description: 'Of an OpenAI-compatible API; may be on this machine or a private network' }),
  model: OneLine,
};

export const LlmSettings = z.object({ ...llmFields, api_key_set: z.boolean() }).meta({ id: 'LlmSettings' });
export type LlmSettings = z.infer<typeof LlmSettings>;

const fields = {
  shop_name: Name,
  approval_policy: z.enum(approvalPolicies),
  default_executor: z.enum(executors),
  currency: Currency,
  currency_exponent: z.int().min(0).max(4),
  locale: Locale,
  locales: listOf(Locale, 100).meta({ description: 'What texts of pages may be translated to, beside `locale`. Empty: anything' }),
  timezone: TimeZone,
  prices_include_tax: z.boolean(),
  low_stock_threshold: z.int().min(0),
  file_max_bytes: z.int().min(0),
  storage_total_bytes: z.int().min(0),
  credit_value_minor: z.int().min(1).meta({ description: 'Minor units that a credit is worth when spent' }),
  locker_networks: listOf(
    z.string().refine((value) => LOCKER_NETWORK.test(value), invalid('1-32 of a-z, 0-9, _ and -')),
    100,
  ).meta({ description: 'Empty: any name' }),
  /** How often a sold file may be fetched, and for how many days; null: no limit. */
  download_limit: z.int().min(1).nullable(),
  download_days: z.int().min(1).max(36_500).nullable(),
  journal_days: z.int().min(1).max(3650),
  run_days: z.int().min(1).max(3650),
  log_days: z.int().min(1).max(3650).nullable().meta({ description: 'How long entries of `/logs` are kept; null: for ever' }),
  notification_days: z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .meta({ description: 'How long notifications are kept, read or not; null: for ever' }),
  event_days: z
    .int()
    .min(1)
    .max(3650)
    .meta({ description: 'How long events of the shop are kept once webhooks and triggers have had them' }),
  mail_days: z.int().min(1).max(3650).meta({ description: 'How long mails are kept once they are sent or given up' }),
  audit_days: z
    .int()
    .min(30)
    .max(36_500)
    .nullable()
    .meta({ description: 'How long the audit log is kept; null: for ever. Changed by owners alone' }),
  /** As far as tasks may raise their limits; what is not named: as far as each may be set at all. */
  limits_max: LimitsMax,
};

export const ShopSettings = z
  .object({
    ...fields,
    locale: z.string(),
    locales: z.array(z.string()),
    timezone: z.string(),
    courier: CourierSettings,
    smtp: SmtpSettings.nullable(),
    llm: LlmSettings.nullable(),
    payment_provider_configured: z.boolean().meta({ description: 'By the environment of the server; read only' }),
  })
  .meta({ id: 'ShopSettings' });
export type ShopSettings = z.infer<typeof ShopSettings>;

/** Any subset; `courier`, `smtp` and `llm` merge by sub-field. */
export const SettingsPatch = z
  .object({
    ...fields,
    courier: z.object({ ...courierFields, easypost_api_key: EasypostKey.nullable() }).partial(),
    smtp: z
      .object({ ...smtpFields, password: text().nullable() })
      .partial()
      .nullable()
      .meta({ description: 'null: no mail is sent. Another host, port, security or user drops the password unless one is sent along.' }),
    llm: z
      .object({ ...llmFields, api_key: text({ min: 1 }).nullable() })
      .partial()
      .nullable()
      .meta({ description: 'null: no language model. For owners; another address drops the key unless one is sent along.' }),
  })
  .partial()
  .meta({ id: 'SettingsPatch' });
export type SettingsPatch = z.infer<typeof SettingsPatch>;

export const settingsEndpoints = endpointsOf(
  {
    id: 'settings.get',
    method: 'GET',
    path: '/settings',
    summary: 'The settings of the shop, without secrets',
    permission: 'admin_api.settings.read',
    record: 'settings',
    status: 200,
    response: ShopSettings,
    added: true,
  },
  {
    id: 'settings.update',
    method: 'PATCH',
    path: '/settings',
    summary: 'Change settings; what is omitted stays',
    permission: 'admin_api.settings.write',
    record: 'settings',
    body: SettingsPatch,
    status: 200,
    response: ShopSettings,
    refusals: ['currency_fixed', 'invalid_enum', 'invalid_locale', 'duplicate', 'precondition_failed'],
    added: true,
  },
);
