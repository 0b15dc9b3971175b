import type { SettingsPatch, ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import { type FieldRows, valuesIn } from '../../parts/fields.tsx';
import { allNeeded, needed } from '../../parts/record-form.ts';
import { useMay } from '../../parts/shop.ts';
import { settingsText } from '../../texts/settings.ts';
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

const taskMailFields = [
  { kind: 'number', name: 'task_mails_per_day', label: t.ofTasks.fields.task_mails_per_day },
  { kind: 'text', name: 'public_url', label: t.ofTasks.fields.public_url, hint: t.ofTasks.urlHint },
] as const;

/** How much tasks may write, and where the links in their mails lead. */
function TaskMailForm(settings: Tagged<ShopSettings>) {
  const mayChange = useMay()('admin_api.settings.write');
  const form = useSettingsForm(
    settings,
    (all) => valuesIn(taskMailFields, { ...all, public_url: all.public_url ?? '' }),
    ({ public_url, ...values }) => ({ ...allNeeded(values, ['task_mails_per_day']), public_url: public_url.trim() || null }),
  );
  return (
    <Section title={t.ofTasks.title}>
      <EditForm label={t.ofTasks.title} form={form} isReadOnly={!mayChange} fields={taskMailFields} />
    </Section>
  );
}

const at = <N extends keyof MailValues>(name: N) => ({ name, label: t.fields[name], pointer: `/smtp/${name}` });

/** The mail server that the shop sends with; the password is never shown again. */
function AccountForm(settings: Tagged<ShopSettings>) {
  const mayChange = useMay()('admin_api.settings.write');
  const form = useSettingsForm(settings, mailOf, mailPatch);
  const { isOn } = form.values;
  const server: FieldRows<MailValues> = [
    [
      { kind: 'text', ...at('host') },
      { kind: 'number', ...at('port') },
    ],
    { kind: 'tick', ...at('secure') },
    { kind: 'text', ...at('from'), hint: t.fromHint },
    [
      { kind: 'text', ...at('user'), hint: t.userHint },
      { kind: 'password', ...at('password'), hint: settings.value.smtp?.password_set ? t.passwordSet : t.passwordNone },
    ],
  ];
  return (
    <Section title={t.title}>
      <EditForm
        label={t.title}
        form={form}
        isReadOnly={!mayChange}
        nameOf={(name) => t.fields[name]}
        fields={[{ kind: 'tick', ...at('isOn') }, ...(isOn ? server : [])]}
      >
        {isOn ? null : <p className="muted">{t.off}</p>}
      </EditForm>
    </Section>
  );
}
