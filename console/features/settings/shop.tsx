import type { SettingsPatch, ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import { type FieldRows, labelledBy, valuesIn } from '../../parts/fields.tsx';
import { allNeeded } from '../../parts/record-form.ts';
import { useActsAsOwner, useMay } from '../../parts/shop.ts';
import { settingsText } from '../../texts/settings.ts';
import { Section } from '../../ui/page.tsx';
import { listOf, listText, useSettingsForm } from './settings-form.ts';

const t = settingsText.shop;

export function ShopSection(settings: Tagged<ShopSettings>) {
  return (
    <>
      <Section title={t.title}>
        <ShopForm {...settings} />
      </Section>
      <Section title={t.keep.title}>
        <p className="muted section-note">{t.keep.note}</p>
        <KeepForm {...settings} />
      </Section>
    </>
  );
}

const at = labelledBy(t.fields);
const fields = [
  { kind: 'text', ...at('shop_name') },
  [
    { kind: 'text', ...at('currency'), hint: t.currencyHint },
    { kind: 'number', ...at('currency_exponent') },
  ],
  [
    { kind: 'text', ...at('timezone') },
    { kind: 'text', ...at('locale') },
    { kind: 'text', ...at('locales'), hint: t.localesHint },
  ],
  { kind: 'tick', ...at('prices_include_tax') },
  [
    { kind: 'number', ...at('low_stock_threshold') },
    { kind: 'number', ...at('credit_value_minor') },
  ],
  [
    { kind: 'size', ...at('file_max_bytes') },
    { kind: 'size', ...at('storage_total_bytes') },
    { kind: 'number', ...at('download_limit'), hint: t.noLimit },
    { kind: 'number', ...at('download_days'), hint: t.noLimit },
  ],
] as const satisfies FieldRows<Omit<ShopSettings, 'locales'> & { locales: string }>;

const shopOf = (settings: ShopSettings) => valuesIn(fields, { ...settings, locales: listText(settings.locales) });
const needsValue = ['currency_exponent', 'low_stock_threshold', 'credit_value_minor', 'file_max_bytes', 'storage_total_bytes'] as const;
const shopPatch = (values: ReturnType<typeof shopOf>): SettingsPatch => ({
  ...allNeeded(values, needsValue),
  locales: listOf(values.locales),
});

function ShopForm(settings: Tagged<ShopSettings>) {
  const mayChange = useMay()('admin_api.settings.write');
  const form = useSettingsForm(settings, shopOf, shopPatch);
  return <EditForm label={t.title} form={form} isReadOnly={!mayChange} fields={fields} />;
}

const needsDays = ['journal_days', 'run_days', 'event_days', 'mail_days'] as const;
const maybeForever = ['log_days', 'notification_days', 'audit_days'] as const;

const dayFields = (isOwner: boolean) => [
  [
    ...needsDays.map((name) => ({ kind: 'number', name, label: t.keep.fields[name] }) as const),
    ...maybeForever.map((name) => {
      const isOwners = name === 'audit_days' && !isOwner;
      return {
        kind: 'number',
        name,
        label: t.keep.fields[name],
        hint: isOwners ? t.keep.ownersOnly : t.keep.forever,
        disabled: isOwners,
      } as const;
    }),
  ],
];

function KeepForm(settings: Tagged<ShopSettings>) {
  const mayChange = useMay()('admin_api.settings.write');
  const isOwner = useActsAsOwner();
  const rows = dayFields(isOwner);
  const form = useSettingsForm(
    settings,
    (all) => valuesIn(rows, all),
    ({ audit_days, ...values }) => ({ ...allNeeded(values, needsDays), ...(isOwner ? { audit_days } : {}) }),
  );
  return <EditForm label={t.keep.title} form={form} isReadOnly={!mayChange} fields={rows} />;
}
