import type { DecisionAct } from '../../../contract/decisions.ts';
import { currencyExponent } from '../../../contract/money.ts';
import { LimitsMax } from '../../../contract/runner.ts';
import { policySettings, type SettingsPatch, type ShopSettings } from '../../../contract/settings.ts';
import type { Db } from '../../db/open.ts';
import { ASSISTANT_URLS, Settings } from '../../values/settings.ts';
import { changesBetween, given } from '../../verbs/changes.ts';
import { type AuditEntry, actsAsOwner, type Ctx } from '../../verbs/context.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import * as store from './store.ts';

export async function readSettings(db: Db): Promise<Settings> {
  const rows = await store.selectSettings(db);
  return Settings.parse(Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)])));
}

/** Stores settings and raises their row version; the caller provides the transaction. */
export async function writeSettings(db: Db, changes: Partial<Settings>): Promise<void> {
  const checked = Settings.partial().parse(changes);
  await store.bumpVersion(db);
  for (const [key, value] of Object.entries(checked)) {
    if (key in changes) await store.upsertSetting(db, key, JSON.stringify(value));
  }
}

export const recordVersions = {
  settings: {
    version: (db) => store.selectVersion(db),
    derived: async (ctx) => {
      const facts = await factsOf(ctx, await readSettings(ctx.db));
      return Object.values(facts).some((fact) => fact !== false) ? facts : undefined;
    },
  },
} satisfies RecordVersions;

export async function getSettings(ctx: Ctx): Promise<ShopSettings> {
  return shownOf(ctx, await readSettings(ctx.db));
}

async function shownOf(ctx: Ctx, settings: Settings): Promise<ShopSettings> {
  return { ...withoutSecrets(settings), ...(await factsOf(ctx, settings)) };
}

/** What the settings show besides what is set: whether the environment configures a payment provider, and whether passkeys could decide. */
async function factsOf({ services, db }: Ctx, { decisions }: Settings): Promise<Facts> {
  const isPlain = Object.values(decisions).every((way) => way === 'token');
  return {
    payment_provider_configured: services.config.stripe.secretKey !== undefined,
    passkeys_suggested: isPlain && (await store.countKeyHolders(db)) >= 2,
  };
}

type Facts = Pick<ShopSettings, 'payment_provider_configured' | 'passkeys_suggested'>;

/** What happens after a change of a setting, by the setting's name; it runs in the same transaction. */
export type Listeners = { readonly [Name in keyof Settings]?: (ctx: Ctx, change: SettingsChange) => Promise<void> };
export type SettingsChange = { before: Settings; after: Settings };

export async function updateSettings(ctx: Ctx, patch: SettingsPatch, listeners: Listeners): Promise<ShopSettings> {
  await ctx.dialect.lockName(ctx.db, 'settings');
  const before = await readSettings(ctx.db);
  const wanted = merge(before, patch);
  const changes = changesBetween(before, wanted);
  for (const name of OWNERS_ALONE) if (changes[name]) requireOwner(ctx, name);
  if (changes['currency'] || changes['currency_exponent']) await refuseFixedCurrency(ctx, before);
  const next = { ...before, ...wanted };
  const shown = masked(before, next);
  await decideChanges(ctx, shown, before, next);
  if (Object.keys(changes).length > 0) {
    await writeSettings(ctx.db, Object.fromEntries(Object.keys(changes).map((key) => [key, Reflect.get(next, key)])));
  }
  for (const [name, follow] of Object.entries(listeners)) if (changes[name]) await follow(ctx, { before, after: next });
  ctx.audit({
    resource: { type: 'settings', id: null },
    changes: shown,
    summary: `Settings: ${Object.keys(changes).join(', ') || 'no change'}`,
  });
  return shownOf(ctx, next);
}

/** By the mail account and the address, links that sign in reach their people: whoever sets them could have those of an owner. */
const WAYS_IN: readonly string[] = ['smtp', 'public_url'];

/** So long the plans are kept on which people have decided; `backroom verify approvals` compares them. */
const EVIDENCE_DAYS = ['journal_days', 'run_days'] as const;

/**
 * Whoever could change the policy could approve their own versions, and with the days of the audit log have that of their own acts deleted.
 */
const OWNERS_ALONE: readonly string[] = [...policySettings, 'llm', 'assistant', ...WAYS_IN];

/** The decisions that a change of settings is, all of them one to sign. */
async function decideChanges(ctx: Ctx, shown: AuditEntry['changes'], before: Settings, next: Settings): Promise<void> {
  const names = Object.keys(shown);
  const isOf = (list: readonly string[]) => (name: string) => list.includes(name.split('.', 1)[0] ?? name);
  const raised = [
    ...(raisesLimits(before.limits_max, next.limits_max) ? ['limits_max'] : []),
    ...(next.task_mails_per_day > before.task_mails_per_day ? ['task_mails_per_day'] : []),
  ];
  const shortened = EVIDENCE_DAYS.filter((name) => next[name] < before[name]);
  const acts: DecisionAct[] = [
    ...(names.some(isOf([...policySettings, ...shortened])) ? (['policy'] as const) : []),
    ...(names.some(isOf(WAYS_IN)) ? (['change_access'] as const) : []),
    ...(raised.length > 0 ? (['raise_limits'] as const) : []),
  ];
  const [first, ...others] = acts;
  if (first === undefined) return;
  const decides = isOf([...policySettings, ...WAYS_IN, ...shortened, ...raised]);
  const settings = Object.fromEntries(Object.entries(shown).filter(([name]) => decides(name)));
  const second = names.some(isOf(WAYS_IN)) && ({ second: 'needed' } as const);
  await ctx.decide({ acts: [first, ...others], subject: { type: 'settings', id: null }, decided: { settings }, ...second });
}

/** Whether a limit becomes higher; one that is missing has only its own maximum. */
function raisesLimits(before: Settings['limits_max'], after: Settings['limits_max']): boolean {
  const most = (value: number | null | undefined): number => value ?? Number.POSITIVE_INFINITY;
  return LimitsMax.keyof().options.some((name) => most(after[name]) > most(before[name]));
}

function merge(before: Settings, { decisions, courier, smtp, llm, assistant, ...plain }: SettingsPatch): Partial<Settings> {
  const wanted: Partial<Settings> = given(plain);
  if (plain.currency !== undefined && plain.currency_exponent === undefined && plain.currency !== before.currency) {
    wanted.currency_exponent = currencyExponent(plain.currency);
  }
  if (decisions) wanted.decisions = { ...before.decisions, ...given(decisions) };
  if (courier) wanted.courier = { ...before.courier, ...given(courier) };
  if (smtp !== undefined) wanted.smtp = smtp === null ? null : mergeSmtp(before.smtp, smtp);
  if (llm !== undefined) wanted.llm = llm === null ? null : mergeLlm(before.llm, llm);
  if (assistant !== undefined) wanted.assistant = assistant === null ? null : mergeAssistant(before.assistant, assistant);
  return wanted;
}

function mergeSmtp(before: Settings['smtp'], patch: NonNullable<SettingsPatch['smtp']>): NonNullable<Settings['smtp']> {
  for (const key of ['host', 'from'] as const) {
    if (!before && patch[key] === undefined)
      throw refuseValue('required', `/smtp/${key}`, 'is required, because no mail account is set yet');
  }
  const merged = Settings.shape.smtp.parse({ ...before, ...patch });
  if (!merged) throw new Error('a merged object is never null');
  // The stored password is dropped if the mails would go to another server, account or port, or without encryption. Otherwise
  // an admin who may change settings could have the password sent to their own server.
  const goesElsewhere = before && (['host', 'port', 'secure', 'user'] as const).some((key) => merged[key] !== before[key]);
  return goesElsewhere && patch.password === undefined ? { ...merged, password: null } : merged;
}

/**
 * Merges the settings of the language model. Any address is accepted, also one of this machine or network, because models may
 * run there.
 */
function mergeLlm(before: Settings['llm'], patch: NonNullable<SettingsPatch['llm']>): NonNullable<Settings['llm']> {
  for (const key of ['base_url', 'model'] as const) {
    if (!before && patch[key] === undefined)
      throw refuseValue('required', `/llm/${key}`, 'is required, because no language model is set yet');
  }
  const merged = Settings.shape.llm.parse({ ...before, ...patch });
  if (!merged) throw new Error('a merged object is never null');
  return before && merged.base_url !== before.base_url && patch.api_key === undefined ? { ...merged, api_key: null } : merged;
}

/** A key goes to no other address than the one that it was set with; a new provider is asked at its own. */
function mergeAssistant(before: Settings['assistant'], patch: NonNullable<SettingsPatch['assistant']>): NonNullable<Settings['assistant']> {
  for (const key of ['provider', 'model'] as const) {
    if (!before && patch[key] === undefined)
      throw refuseValue('required', `/assistant/${key}`, 'is required, because no model is set for the assistant yet');
  }
  const provider = patch.provider ?? before?.provider ?? 'openai';
  const known = before?.provider === provider ? before.base_url : ASSISTANT_URLS[provider];
  const merged = Settings.shape.assistant.parse({ ...before, base_url: known, ...given(patch) });
  if (!merged) throw new Error('a merged object is never null');
  const goesElsewhere = before && (merged.provider !== before.provider || merged.base_url !== before.base_url);
  return goesElsewhere && patch.api_key === undefined ? { ...merged, api_key: null } : merged;
}

function requireOwner({ actor }: Ctx, setting: string): void {
  if (actsAsOwner(actor)) return;
  throw new Refusal('forbidden', `Only an owner may change ${setting}, by a token without a list of permissions; nothing was changed.`);
}

/** Whether there are orders: their amounts are stored in minor units of the currency, so it can no longer change. */
export function isCurrencyFixed(db: Db): Promise<boolean> {
  return store.hasOrders(db);
}

async function refuseFixedCurrency(ctx: Ctx, { currency }: Settings): Promise<void> {
  if (!(await isCurrencyFixed(ctx.db))) return;
  throw new Refusal('currency_fixed', `There are orders in ${currency}: neither the currency nor its exponent can be changed any more.`);
}

function withoutSecrets(settings: Settings): Omit<ShopSettings, keyof Facts> {
  const { easypost_api_key: key, ...courier } = settings.courier;
  return {
    ...settings,
    courier: { ...courier, easypost_api_key_set: key !== null },
    smtp: settings.smtp && withPasswordSet(settings.smtp),
    llm: settings.llm && withKeySet(settings.llm),
    assistant: settings.assistant && withKeySet(settings.assistant),
  };
}

function withPasswordSet({ password, ...smtp }: NonNullable<Settings['smtp']>) {
  return { ...smtp, password_set: password !== null };
}

function withKeySet<Model extends { api_key: string | null }>({ api_key, ...model }: Model) {
  return { ...model, api_key_set: api_key !== null };
}

/** The changes for the audit log: it shows that a secret was changed, but not its value. */
function masked(before: Settings, after: Settings): AuditEntry['changes'] {
  const changes = changesBetween(withoutSecrets(before), withoutSecrets(after));
  if (before.smtp?.password !== after.smtp?.password) changes['smtp.password'] = ['***', '***'];
  for (const name of ['llm', 'assistant'] as const)
    if (before[name]?.api_key !== after[name]?.api_key) changes[`${name}.api_key`] = ['***', '***'];
  if (before.courier.easypost_api_key !== after.courier.easypost_api_key) changes['courier.easypost_api_key'] = ['***', '***'];
  return changes;
}
