import type { SettingsPatch, ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { needed } from '../../app/record-form.ts';
import { useMay } from '../../app/shop.ts';
import { Unsaved } from '../../app/unsaved.tsx';
import { settingsText } from '../../texts/en/settings.ts';
import { NumberField, TextField, Tick } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { useSettingsForm } from './settings-form.ts';

const t = settingsText.mail;

/** `password`: what to set; empty leaves the stored one. */
type MailValues = { isOn: boolean; host: string; port: number | null; secure: boolean; user: string; from: string; password: string };

const mailOf = ({ smtp }: ShopSettings): MailValues => ({
  isOn: smtp !== null,
  host: smtp?.host ?? '',
  port: smtp?.port ?? 587,
  secure: smtp?.secure ?? false,
  user: smtp?.user ?? '',
  from: smtp?.from ?? '',
  password: '',
});

function mailPatch({ isOn, password, ...values }: MailValues): SettingsPatch {
  if (!isOn) return { smtp: null };
  return { smtp: { ...values, port: needed(values.port, 'smtp/port'), ...(password === '' ? {} : { password }) } };
}

/** The mail server that the shop sends with; the password is never shown again. */
export function MailSection(settings: Tagged<ShopSettings>) {
  const mayChange = useMay()('admin_api.settings.write');
  const form = useSettingsForm(settings, mailOf, mailPatch);
  const { values, set } = form;
  const field = (name: 'host' | 'user' | 'from' | 'password') => ({
    label: t.fields[name],
    pointer: `/smtp/${name}`,
    error: form.errorAt(`smtp/${name}`),
    value: values[name],
    onValue: (value: string) => set(name, value),
  });
  return (
    <Section title={t.title}>
      <Form label={t.title} form={form} nameOf={(name) => t.fields[name]} isReadOnly={!mayChange}>
        <Tick label={t.fields.isOn} checked={values.isOn} onValue={(isOn) => set('isOn', isOn)} />
        {values.isOn ? (
          <>
            <div className="form-row">
              <TextField {...field('host')} />
              <NumberField
                label={t.fields.port}
                pointer="/smtp/port"
                error={form.errorAt('smtp/port')}
                value={values.port}
                onValue={(port) => set('port', port)}
              />
            </div>
            <Tick label={t.fields.secure} checked={values.secure} onValue={(secure) => set('secure', secure)} />
            <TextField {...field('from')} hint={t.fromHint} />
            <div className="form-row">
              <TextField {...field('user')} autoComplete="off" hint={t.userHint} />
              <TextField
                {...field('password')}
                type="password"
                autoComplete="new-password"
                hint={settings.value.smtp?.password_set ? t.passwordSet : t.passwordNone}
              />
            </div>
          </>
        ) : (
          <p className="muted">{t.off}</p>
        )}
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
    </Section>
  );
}
