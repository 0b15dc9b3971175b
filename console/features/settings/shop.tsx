import type { SettingsPatch, ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { EditForm, type FieldGroup } from '../../parts/edit-form.tsx';
import { fieldsOf, labelledBy, valuesIn } from '../../parts/fields.tsx';
import { allNeeded } from '../../parts/record-form.ts';
import { useActsAsOwner, useMay } from '../../parts/shop.ts';
import { settingsText } from '../../texts/settings.ts';
import { decimalsOf } from '../../ui/currencies.ts';
import { useSettingsForm } from './settings-form.ts';

const t = settingsText.shop;
const u = settingsText.units;
const at = labelledBy({ ...t.fields, ...t.keep.fields });

const needsDays = ['journal_days', 'run_days', 'event_days', 'mail_days'] as const;
const maybeForever = ['log_days', 'notification_days', 'audit_days'] as const;
const needsValue = ['currency_exponent', 'low_stock_threshold', 'credit_value_minor', 'file_max_bytes', 'storage_total_bytes'] as const;

const groupsFor = ({ isOwner, currency }: { isOwner: boolean; currency: string }) =>
  [
    {
      title: t.title,
      fields: [
        { kind: 'text', ...at('shop_name') },
        { kind: 'currency', ...at('currency'), hint: t.currencyHint },
        { kind: 'number', ...at('currency_exponent'), hint: t.decimalsHint },
        { kind: 'money', ...at('credit_value_minor'), unit: currency },
        { kind: 'tick', ...at('prices_include_tax') },
      ],
    },
    {
      title: t.place,
      fields: [
        { kind: 'zone', ...at('timezone') },
        { kind: 'language', ...at('locale') },
        { kind: 'languages', ...at('locales'), hint: t.localesHint },
      ],
    },
    {
      title: t.goods,
      fields: [
        { kind: 'number', ...at('low_stock_threshold'), unit: u.pieces },
        { kind: 'size', ...at('file_max_bytes') },
        { kind: 'size', ...at('storage_total_bytes') },
        { kind: 'number', ...at('download_limit'), hint: t.noLimit, unit: u.times },
        { kind: 'number', ...at('download_days'), hint: t.noLimit, unit: u.days },
      ],
    },
    {
      title: t.keep.title,
      note: t.keep.note,
      fields: [
        ...needsDays.map((name) => ({ kind: 'number', ...at(name), unit: u.days }) as const),
        ...maybeForever.map((name) => {
          const isOwners = name === 'audit_days' && !isOwner;
          const hint = isOwners ? t.keep.ownersOnly : t.keep.forever;
          return { kind: 'number', ...at(name), hint, unit: u.days, disabled: isOwners } as const;
        }),
      ],
    },
  ] as const satisfies readonly FieldGroup<ShopSettings>[];

/** The shop itself: its money, where it is, what it holds and how long it keeps what it knows. */
export function ShopSection(settings: Tagged<ShopSettings>) {
  const mayChange = useMay()('admin_api.settings.write');
  const isOwner = useActsAsOwner();
  const groups = groupsFor({ isOwner, currency: settings.value.currency });
  const form = useSettingsForm(
    settings,
    (all) =>
      valuesIn(
        groups.flatMap(({ fields }) => fieldsOf<(typeof fields)[number]>(fields)),
        all,
      ),
    ({ audit_days, locales, ...values }): SettingsPatch => ({
      ...allNeeded(values, [...needsValue, ...needsDays]),
      locales: [...locales],
      ...(isOwner ? { audit_days } : {}),
    }),
  );
  const set: typeof form.set = (name, value) => {
    form.set(name, value);
    const decimals = name === 'currency' ? decimalsOf(String(value)) : undefined;
    if (decimals !== undefined) form.set('currency_exponent', decimals);
  };
  return <EditForm label={t.title} form={{ ...form, set }} isPage isReadOnly={!mayChange} groups={groups} />;
}
