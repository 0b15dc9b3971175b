import type { SettingsPatch, ShopSettings } from '../../../contract/settings.ts';
import type { FieldRows } from '../../parts/fields.tsx';
import { needed } from '../../parts/record-form.ts';
import { settingsText } from '../../texts/settings.ts';

const t = settingsText.assistant;
const u = settingsText.units;

type Provider = NonNullable<ShopSettings['assistant']>['provider'];
const limits = ['thread_tokens', 'day_tokens', 'admin_day_tokens', 'keep_days'] as const;
/** Without them the server takes what is usual. */
type Limits = Record<`assistant_${(typeof limits)[number]}`, number | null>;
/** `assistant_api_key`: what to set; empty leaves the stored one. `assistant_base_url`: empty for the provider's own. */
export type AssistantValues = Limits & {
  assistant_isOn: boolean;
  assistant_provider: Provider;
  assistant_base_url: string;
  assistant_model: string;
  assistant_api_key: string;
};

export const assistantOf = ({ assistant }: ShopSettings): AssistantValues => ({
  assistant_isOn: assistant !== null,
  assistant_provider: assistant?.provider ?? 'openai',
  assistant_base_url: assistant?.base_url ?? '',
  assistant_model: assistant?.model ?? '',
  assistant_api_key: '',
  assistant_thread_tokens: assistant?.thread_tokens ?? null,
  assistant_day_tokens: assistant?.day_tokens ?? null,
  assistant_admin_day_tokens: assistant?.admin_day_tokens ?? null,
  assistant_keep_days: assistant?.keep_days ?? null,
});

/** What is not set yet may be left to the server. With another provider, the address of the one before is none. */
export function assistantPatch(stored: ShopSettings['assistant'], values: AssistantValues): SettingsPatch {
  if (!values.assistant_isOn) return { assistant: null };
  const { assistant_provider: provider, assistant_base_url: base_url, assistant_api_key: api_key } = values;
  const isUsual = stored?.provider !== provider && (base_url === '' || base_url === stored?.base_url);
  const given = limits.flatMap((name) => {
    const value = values[`assistant_${name}`];
    if (value === null && stored === null) return [];
    return [[name, needed(value, `assistant/${name}`)]];
  });
  return {
    assistant: {
      provider,
      model: values.assistant_model,
      ...Object.fromEntries(given),
      ...(isUsual ? {} : { base_url }),
      ...(api_key === '' ? {} : { api_key }),
    },
  };
}

const at = <N extends keyof typeof t.fields>(name: N) => ({
  name: `assistant_${name}` as const,
  label: t.fields[name],
  pointer: `/assistant/${name}`,
});

export const assistantFields = (isOn: boolean, isKeySet: boolean): FieldRows<AssistantValues> => [
  { kind: 'tick', ...at('isOn') },
  ...(isOn
    ? ([
        { kind: 'choice', ...at('provider'), options: t.providers },
        { kind: 'text', ...at('base_url'), hint: t.urlHint },
        { kind: 'text', ...at('model') },
        { kind: 'password', ...at('api_key'), hint: isKeySet ? t.keySet : t.keyNone },
        { kind: 'number', ...at('thread_tokens'), unit: u.tokens },
        { kind: 'number', ...at('day_tokens'), unit: u.tokens },
        { kind: 'number', ...at('admin_day_tokens'), unit: u.tokens },
        { kind: 'number', ...at('keep_days'), unit: u.days },
      ] as const)
    : []),
];
