import type { SettingsPatch, ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import type { FieldRows } from '../../parts/fields.tsx';
import { allNeeded } from '../../parts/record-form.ts';
import { useActsAsOwner } from '../../parts/shop.ts';
import { settingsText } from '../../texts/settings.ts';
import { Section } from '../../ui/page.tsx';
import { useSettingsForm } from './settings-form.ts';

const t = settingsText.assistant;

type Provider = NonNullable<ShopSettings['assistant']>['provider'];
const limits = ['thread_tokens', 'day_tokens', 'admin_day_tokens', 'keep_days'] as const;
/** Without them the server takes what is usual. */
type Limits = Record<(typeof limits)[number], number | null>;
/** `api_key`: what to set; empty leaves the stored one. `base_url`: empty for the provider's own. */
type AssistantValues = Limits & { isOn: boolean; provider: Provider; base_url: string; model: string; api_key: string };

const valuesOf = ({ assistant }: ShopSettings): AssistantValues => ({
  isOn: assistant !== null,
  provider: assistant?.provider ?? 'openai',
  base_url: assistant?.base_url ?? '',
  model: assistant?.model ?? '',
  api_key: '',
  thread_tokens: assistant?.thread_tokens ?? null,
  day_tokens: assistant?.day_tokens ?? null,
  admin_day_tokens: assistant?.admin_day_tokens ?? null,
  keep_days: assistant?.keep_days ?? null,
});

/** What is not set yet may be left to the server. With another provider, the address of the one before is none. */
function patchOf(stored: ShopSettings['assistant'], { isOn, api_key, base_url, ...values }: AssistantValues): SettingsPatch {
  if (!isOn) return { assistant: null };
  const isOther = stored?.provider !== values.provider;
  const isUsual = isOther && (base_url === '' || base_url === stored?.base_url);
  const given = Object.entries(values).filter(([, value]) => value !== null);
  const known = stored ? allNeeded(values, limits) : Object.fromEntries(given);
  return { assistant: { ...known, ...(isUsual ? {} : { base_url }), ...(api_key === '' ? {} : { api_key }) } };
}

const at = <N extends keyof AssistantValues>(name: N) => ({ name, label: t.fields[name], pointer: `/assistant/${name}` });

/** The model that writes drafts with admins. Only owners choose it, because it is sent data of the shop. */
export function AssistantSection(settings: Tagged<ShopSettings>) {
  const isOwner = useActsAsOwner();
  const stored = settings.value.assistant;
  const form = useSettingsForm(settings, valuesOf, (values) => patchOf(stored, values));
  const { isOn } = form.values;
  const fields: FieldRows<AssistantValues> = [
    { kind: 'choice', ...at('provider'), options: t.providers },
    { kind: 'text', ...at('base_url'), hint: t.urlHint },
    { kind: 'text', ...at('model') },
    { kind: 'password', ...at('api_key'), hint: stored?.api_key_set ? t.keySet : t.keyNone },
    [
      { kind: 'number', ...at('thread_tokens') },
      { kind: 'number', ...at('day_tokens') },
    ],
    [
      { kind: 'number', ...at('admin_day_tokens') },
      { kind: 'number', ...at('keep_days') },
    ],
  ];
  return (
    <Section title={t.title}>
      {isOwner ? null : <p className="muted section-note">{t.ownersOnly}</p>}
      <EditForm
        label={t.title}
        form={form}
        isReadOnly={!isOwner}
        nameOf={(name) => t.fields[name]}
        fields={[{ kind: 'tick', ...at('isOn') }, ...(isOn ? fields : [])]}
      >
        <p className="muted">{!isOn ? t.off : stored === null ? t.usual : null}</p>
      </EditForm>
    </Section>
  );
}
