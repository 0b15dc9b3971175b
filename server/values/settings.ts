import { z } from 'zod';
import { Decisions } from '../../contract/decisions.ts';
import { AssistantSettings, CourierRate, CourierSettings, LlmSettings, ShopSettings, SmtpSettings } from '../../contract/settings.ts';

const wire = ShopSettings.shape;
const decisions = Decisions.shape;
const courier = CourierSettings.shape;
const smtp = SmtpSettings.shape;
const llm = LlmSettings.shape;
const assistant = AssistantSettings.shape;

/** Where the providers of the assistant are unless its settings say otherwise. */
export const ASSISTANT_URLS = { openai: 'https://api.openai.com/v1', anthropic: 'https://api.anthropic.com' } as const;

const MIB = 1024 ** 2;

/** The shop's settings as stored, with their defaults (spec SE1) and secrets. A row in the database overrides a default. */
export const Settings = z.object({
  shop_name: wire.shop_name.default('Backroom'),
  approval_policy: wire.approval_policy.default('author'),
  default_executor: wire.default_executor.default('runner'),
  external_timeout_minutes: wire.external_timeout_minutes.default(60),
  currency: wire.currency.default('EUR'),
  currency_exponent: wire.currency_exponent.default(2),
  locale: wire.locale.default('en'),
  locales: wire.locales.default([]),
  timezone: wire.timezone.default('UTC'),
  prices_include_tax: wire.prices_include_tax.default(false),
  low_stock_threshold: wire.low_stock_threshold.default(5),
  file_max_bytes: wire.file_max_bytes.default(100 * MIB),
  storage_total_bytes: wire.storage_total_bytes.default(5 * 1024 * MIB),
  credit_value_minor: wire.credit_value_minor.default(1),
  locker_networks: wire.locker_networks.default([]),
  download_limit: wire.download_limit.default(10),
  download_days: wire.download_days.default(null),
  journal_days: wire.journal_days.default(7),
  run_days: wire.run_days.default(90),
  log_days: wire.log_days.default(365),
  notification_days: wire.notification_days.default(180),
  event_days: wire.event_days.default(90),
  mail_days: wire.mail_days.default(30),
  task_mails_per_day: wire.task_mails_per_day.default(1000),
  public_url: wire.public_url.default(null),
  audit_days: wire.audit_days.default(null),
  four_eyes: wire.four_eyes.default({ writes_over: null, kinds: [] }),
  policy_four_eyes: wire.policy_four_eyes.default(false),
  decisions: z
    .object({
      approve_version: decisions.approve_version.default('token'),
      apply_plan: decisions.apply_plan.default('token'),
      raise_limits: decisions.raise_limits.default('token'),
      make_token: decisions.make_token.default('token'),
      change_access: decisions.change_access.default('token'),
      policy: decisions.policy.default('token'),
    })
    .prefault({}),
  limits_max: wire.limits_max.default({}),
  courier: z
    .object({
      provider: courier.provider.default('manual'),
      sender: courier.sender.default(null),
      default_weight_grams: courier.default_weight_grams.default(500),
      rate_card: courier.rate_card.default(() =>
        z.array(CourierRate).parse([
          { courier_id: 'standard', courier_name: 'Standard', cost_cents: 590, delivery_estimate: '2-4 working days' },
          { courier_id: 'express', courier_name: 'Express', cost_cents: 1290, delivery_estimate: '1 working day' },
        ]),
      ),
      easypost_api_key: z.string().nullable().default(null),
    })
    .prefault({}),
  /** null: no mail is sent. */
  smtp: z
    .object({
      host: smtp.host,
      port: smtp.port.default(587),
      secure: smtp.secure.default(false),
      user: smtp.user.default(''),
      from: smtp.from,
      password: z.string().nullable().default(null),
    })
    .nullable()
    .default(null),
  /** null: there is no language model. */
  llm: z
    .object({ base_url: llm.base_url, model: llm.model, api_key: z.string().nullable().default(null) })
    .nullable()
    .default(null),
  /** null: the assistant is off. */
  assistant: z
    .object({
      provider: assistant.provider,
      base_url: assistant.base_url,
      model: assistant.model,
      api_key: z.string().nullable().default(null),
      thread_tokens: assistant.thread_tokens.default(1_000_000),
      day_tokens: assistant.day_tokens.default(10_000_000),
      admin_day_tokens: assistant.admin_day_tokens.default(3_000_000),
      keep_days: assistant.keep_days.default(30),
    })
    .nullable()
    .default(null),
});
export type Settings = z.infer<typeof Settings>;
