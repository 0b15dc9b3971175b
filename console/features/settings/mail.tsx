import type { SettingsPatch, ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { EditForm, type FieldGroup } from '../../parts/edit-form.tsx';
import type { FieldRows } from '../../parts/fields.tsx';
import { needed } from '../../parts/record-form.ts';
import { useActsAsOwner } from '../../parts/shop.ts';
import { settingsText } from '../../texts/settings.ts';
import { useSettingsForm } from './settings-form.ts';

const t = settingsText.mail;

/** `password`: what to set; empty leaves the stored one. */
type MailValues = {
  isOn: boolean;
  host: string;
  port: number | null;
  secure: boolean;
  user: string;
  from: string;
  password: string;
  task_mails_per_day: number | null;
  public_url: string;
};

const mailOf = ({ smtp, task_mails_per_day, public_url }: ShopSettings): MailValues => ({
  isOn: smtp !== null,
  host: smtp?.host ?? '',
  port: smtp?.port ?? 587,
  secure: smtp?.secure ?? false,
  user: smtp?.user ?? '',
  from: smtp?.from ?? '',
  password: '',
  task_mails_per_day,
  public_url: public_url ?? '',
});

function mailPatch({ isOn, password, task_mails_per_day, public_url, ...values }: MailValues): SettingsPatch {
  return {
    task_mails_per_day: needed(task_mails_per_day, 'task_mails_per_day'),
    public_url: public_url.trim() || null,
    smtp: isOn ? { ...values, port: needed(values.port, 'smtp/port'), ...(password === '' ? {} : { password }) } : null,
  };
}

const at = <N extends keyof typeof t.fields>(name: N) => ({ name, label: t.fields[name], pointer: `/smtp/${name}` });

/** The mail server that the shop sends with, whose password is never shown again, and how much tasks may write. */
export function MailSection(settings: Tagged<ShopSettings>) {
  const isOwner = useActsAsOwner();
  const form = useSettingsForm(settings, mailOf, mailPatch);
  const { isOn } = form.values;
  const server: FieldRows<MailValues> = [
    { kind: 'text', ...at('host') },
    { kind: 'number', ...at('port') },
    { kind: 'tick', ...at('secure') },
    { kind: 'text', ...at('from'), hint: t.fromHint },
    { kind: 'text', ...at('user'), hint: t.userHint },
    { kind: 'password', ...at('password'), hint: settings.value.smtp?.password_set ? t.passwordSet : t.passwordNone },
  ];
  const groups: readonly FieldGroup<MailValues>[] = [
    {
      title: t.title,
      note: isOwner ? (isOn ? undefined : t.off) : settingsText.approval.ownersOnly,
      fields: [{ kind: 'tick', ...at('isOn') }, ...(isOn ? server : [])],
    },
    {
      title: t.ofTasks.title,
      fields: [
        { kind: 'number', name: 'task_mails_per_day', label: t.ofTasks.fields.task_mails_per_day, unit: settingsText.units.aDay },
        { kind: 'text', name: 'public_url', label: t.ofTasks.fields.public_url, hint: t.ofTasks.urlHint },
      ],
    },
  ];
  return <EditForm label={t.title} form={form} isPage isReadOnly={!isOwner} groups={groups} />;
}
