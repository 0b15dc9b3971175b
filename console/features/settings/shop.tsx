import type { SettingsPatch, ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { needed } from '../../parts/record-form.ts';
import { useActsAsOwner, useMay } from '../../parts/shop.ts';
import { Unsaved } from '../../parts/unsaved.tsx';
import { settingsText } from '../../texts/settings.ts';
import { NumberField, TextField, Tick } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
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

const texts = ['shop_name', 'currency', 'locale', 'timezone'] as const;
const numbers = ['currency_exponent', 'low_stock_threshold', 'credit_value_minor', 'file_max_bytes', 'storage_total_bytes'] as const;
type ShopValues = Record<(typeof texts)[number] | 'locales', string> &
  Record<(typeof numbers)[number] | 'download_limit' | 'download_days', number | null> & { prices_include_tax: boolean };

const shopOf = (settings: ShopSettings): ShopValues => ({
  shop_name: settings.shop_name,
  currency: settings.currency,
  currency_exponent: settings.currency_exponent,
  locale: settings.locale,
  locales: listText(settings.locales),
  timezone: settings.timezone,
  prices_include_tax: settings.prices_include_tax,
  low_stock_threshold: settings.low_stock_threshold,
  credit_value_minor: settings.credit_value_minor,
  file_max_bytes: settings.file_max_bytes,
  storage_total_bytes: settings.storage_total_bytes,
  download_limit: settings.download_limit,
  download_days: settings.download_days,
});

const shopPatch = (values: ShopValues): SettingsPatch => ({
  ...values,
  locales: listOf(values.locales),
  currency_exponent: needed(values.currency_exponent, 'currency_exponent'),
  low_stock_threshold: needed(values.low_stock_threshold, 'low_stock_threshold'),
  credit_value_minor: needed(values.credit_value_minor, 'credit_value_minor'),
  file_max_bytes: needed(values.file_max_bytes, 'file_max_bytes'),
  storage_total_bytes: needed(values.storage_total_bytes, 'storage_total_bytes'),
});

function ShopForm(settings: Tagged<ShopSettings>) {
  const mayChange = useMay()('admin_api.settings.write');
  const form = useSettingsForm(settings, shopOf, shopPatch);
  const { values, set } = form;
  return (
    <Form label={t.title} form={form} nameOf={(name) => t.fields[name]} isReadOnly={!mayChange}>
      <TextField label={t.fields.shop_name} {...form.text('shop_name')} />
      <div className="form-row">
        <TextField label={t.fields.currency} hint={t.currencyHint} {...form.text('currency')} />
        <NumberField
          label={t.fields.currency_exponent}
          pointer="/currency_exponent"
          error={form.errorAt('currency_exponent')}
          value={values.currency_exponent}
          onValue={(value) => set('currency_exponent', value)}
        />
      </div>
      <div className="form-row">
        <TextField label={t.fields.timezone} {...form.text('timezone')} />
        <TextField label={t.fields.locale} {...form.text('locale')} />
        <TextField label={t.fields.locales} hint={t.localesHint} {...form.text('locales')} />
      </div>
      <Tick
        label={t.fields.prices_include_tax}
        checked={values.prices_include_tax}
        onValue={(checked) => set('prices_include_tax', checked)}
      />
      <div className="form-row">
        {(['low_stock_threshold', 'credit_value_minor'] as const).map((name) => (
          <NumberField
            key={name}
            label={t.fields[name]}
            pointer={`/${name}`}
            error={form.errorAt(name)}
            value={values[name]}
            onValue={(value) => set(name, value)}
          />
        ))}
      </div>
      <div className="form-row">
        {(['file_max_bytes', 'storage_total_bytes', 'download_limit', 'download_days'] as const).map((name) => (
          <NumberField
            key={name}
            label={t.fields[name]}
            pointer={`/${name}`}
            error={form.errorAt(name)}
            hint={name.startsWith('download') ? t.noLimit : undefined}
            value={values[name]}
            onValue={(value) => set(name, value)}
          />
        ))}
      </div>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
    </Form>
  );
}

const needsDays = ['journal_days', 'run_days', 'event_days', 'mail_days'] as const;
const maybeForever = ['log_days', 'notification_days', 'audit_days'] as const;
const days = [...needsDays, ...maybeForever] as const;
type Days = Record<(typeof days)[number], number | null>;

const daysOf = ({ journal_days, run_days, log_days, notification_days, event_days, mail_days, audit_days }: ShopSettings): Days => ({
  journal_days,
  run_days,
  event_days,
  mail_days,
  log_days,
  notification_days,
  audit_days,
});

function KeepForm(settings: Tagged<ShopSettings>) {
  const may = useMay();
  const isOwner = useActsAsOwner();
  const form = useSettingsForm(settings, daysOf, ({ audit_days, ...values }) => ({
    ...values,
    journal_days: needed(values.journal_days, 'journal_days'),
    run_days: needed(values.run_days, 'run_days'),
    event_days: needed(values.event_days, 'event_days'),
    mail_days: needed(values.mail_days, 'mail_days'),
    ...(isOwner ? { audit_days } : {}),
  }));
  return (
    <Form label={t.keep.title} form={form} nameOf={(name) => t.keep.fields[name]} isReadOnly={!may('admin_api.settings.write')}>
      <div className="form-row">
        {days.map((name) => (
          <NumberField
            key={name}
            label={t.keep.fields[name]}
            hint={
              name === 'audit_days' && !isOwner ? t.keep.ownersOnly : maybeForever.some((one) => one === name) ? t.keep.forever : undefined
            }
            disabled={name === 'audit_days' && !isOwner}
            pointer={`/${name}`}
            error={form.errorAt(name)}
            value={form.values[name]}
            onValue={(value) => form.set(name, value)}
          />
        ))}
      </div>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
    </Form>
  );
}
