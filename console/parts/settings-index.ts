import { decisionsText } from '../texts/decisions.ts';
import { settingsText as t } from '../texts/settings.ts';

export type SettingsSection = keyof typeof t.sections;

/** Who may see which section; a section without a permission is everybody's. */
export const sectionPermissions: Record<SettingsSection, string | null> = {
  me: null,
  shop: 'admin_api.settings.read',
  approval: 'admin_api.settings.read',
  decisions: 'admin_api.settings.read',
  people: 'admin_api.admins.read',
  roles: 'admin_api.admins.read',
  courier: 'admin_api.settings.read',
  mail: 'admin_api.settings.read',
  model: 'admin_api.settings.read',
  runners: 'admin_api.runner.read',
  webhooks: 'admin_api.webhooks.read',
};

export function isSection(name: string): name is SettingsSection {
  return Object.hasOwn(t.sections, name);
}

export const sectionName = (section: SettingsSection): string => t.sections[section];

/** The sections that somebody may see, in their order. */
export function sectionsFor(may: (permission: string) => boolean): SettingsSection[] {
  return Object.keys(t.sections)
    .filter(isSection)
    .filter((name) => sectionPermissions[name] === null || may(sectionPermissions[name]));
}

/** One setting as it is looked for. `field`: the pointer of its field; without it, its section is all there is. */
export type Setting = { section: SettingsSection; name: string; hint: string; also: string; field?: string };

/** What a field may be called beside its label. */
const also: Readonly<Record<string, string>> = t.also;
const { acts, actHints, page: rules } = decisionsText;
const hints: Readonly<Record<string, string>> = {
  currency: t.shop.currencyHint,
  locales: t.shop.localesHint,
  download_limit: t.shop.noLimit,
  default_executor: t.approval.executorHint,
  external_timeout_minutes: t.approval.timeoutHint,
  public_url: t.mail.ofTasks.urlHint,
  ...Object.fromEntries(Object.entries(actHints).map(([act, hint]) => [`decisions/${act}`, hint])),
  'four_eyes/writes_over': rules.two,
  'four_eyes/kinds': rules.two,
  policy_four_eyes: rules.ownersTitle,
  'smtp/from': t.mail.fromHint,
  'smtp/user': t.mail.userHint,
  'llm/base_url': t.model.urlHint,
  'assistant/base_url': t.assistant.urlHint,
};

const fieldsOf = (section: SettingsSection, labels: Readonly<Record<string, string>>, place = ''): Setting[] =>
  Object.entries(labels).map(([field, name]) => {
    const path = `${place}${field}`;
    return { section, name, hint: hints[path] ?? '', also: also[path] ?? '', field: `/${path}` };
  });

const { sender: _, rate_card: __, ...courier } = t.courier.fields;

/** All settings, and the sections that have none with a field of its own. */
export const allSettings: readonly Setting[] = [
  ...Object.entries(t.sections).flatMap(([section, name]) =>
    isSection(section) ? [{ section, name, hint: '', also: t.alsoSections[section] }] : [],
  ),
  ...fieldsOf('shop', t.shop.fields),
  ...fieldsOf('shop', t.shop.keep.fields),
  ...fieldsOf('approval', t.approval.fields),
  ...fieldsOf('decisions', acts, 'decisions/'),
  ...fieldsOf('decisions', { writes_over: rules.writesOver, kinds: rules.kinds }, 'four_eyes/'),
  ...fieldsOf('decisions', { policy_four_eyes: rules.owners }),
  ...fieldsOf('courier', { ...courier, hasSender: t.courier.hasSender }, 'courier/'),
  ...fieldsOf('mail', t.mail.fields, 'smtp/'),
  ...fieldsOf('mail', t.mail.ofTasks.fields),
  ...fieldsOf('model', t.model.fields, 'llm/'),
  ...fieldsOf('model', t.assistant.fields, 'assistant/'),
];

/** What opens a field that is not shown: the switch of its group. */
export const switchOf = (field: string): string =>
  field.startsWith('/courier/') ? '/courier/provider' : field.replace(/^(\/(?:smtp|llm|assistant)\/).*/, '$1isOn');

/** Where the setting is. */
export const pathOf = ({ section, field }: Setting): string =>
  `/settings/${section}${field === undefined ? '' : `?field=${encodeURIComponent(field)}`}`;
