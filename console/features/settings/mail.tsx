import type { SettingsPatch, ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { needed } from '../../parts/record-form.ts';
import { useMay } from '../../parts/shop.ts';
import { Unsaved } from '../../parts/unsaved.tsx';
import { settingsText } from '../../texts/settings.ts';
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

export function MailSection(settings: Tagged<ShopSettings>) {
  return (
    <>
      <AccountForm {...settings} />
      <TaskMailForm {...settings} />
    </>
  );
}

type TaskMailValues = { task_mails_per_day: number | null; public_url: string };

const taskMailOf = ({ task_mails_per_day, public_url }: ShopSettings): TaskMailValues => ({
  task_mails_per_day,
  public_url: public_url ?? '',
});

const taskMailPatch = ({ task_mails_per_day, public_url }: TaskMailValues): SettingsPatch => ({
  task_mails_per_day: needed(task_mails_per_day, 'task_mails_per_day'),
  public_url: public_url.trim() || null,
});

/** How much tasks may write, and where the links in their mails lead. */
function TaskMailForm(settings: Tagged<ShopSettings>) {
  const mayChange = useMay()('admin_api.settings.write');
  const form = useSettingsForm(settings, taskMailOf, taskMailPatch);
  const texts = t.ofTasks;
  return (
    <Section title={texts.title}>
      <Form label={texts.title} form={form} nameOf={(name) => texts.fields[name]} isReadOnly={!mayChange}>
        <NumberField
          label={texts.fields.task_mails_per_day}
          pointer="/task_mails_per_day"
          error={form.errorAt('task_mails_per_day')}
          value={form.values.task_mails_per_day}
          onValue={(value) => form.set('task_mails_per_day', value)}
        />
        <TextField label={texts.fields.public_url} hint={texts.urlHint} {...form.text('public_url')} />
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
    </Section>
  );
}

/** The mail server that the shop sends with; the password is never shown again. */
function AccountForm(settings: Tagged<ShopSettings>) {
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
