import type { CourierRate, SettingsPatch, ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { EditForm, FormGroup } from '../../parts/edit-form.tsx';
import { type FieldRows, Fields, partOf } from '../../parts/fields.tsx';
import { needed } from '../../parts/record-form.ts';
import { useMay, useShop } from '../../parts/shop.ts';
import { settingsText } from '../../texts/settings.ts';
import { Button } from '../../ui/button.tsx';
import { useSettingsForm } from './settings-form.ts';

const t = settingsText.courier;

type Rate = Omit<CourierRate, 'cost_cents' | 'per_kg_cents'> & {
  cost_cents: number | null;
  per_kg_cents: number | null;
};
const senderFields = ['name', 'line1', 'line2', 'postal_code', 'city', 'state', 'country', 'phone', 'email'] as const;
type Sender = Record<(typeof senderFields)[number], string>;
type CourierValues = {
  provider: ShopSettings['courier']['provider'];
  hasSender: boolean;
  sender: Sender;
  default_weight_grams: number | null;
  rate_card: readonly Rate[];
  easypost_api_key: string;
};

const noSender: Sender = { name: '', line1: '', line2: '', postal_code: '', city: '', state: '', country: '', phone: '', email: '' };
const newRate: Rate = {
  courier_id: '',
  courier_name: '',
  cost_cents: null,
  per_kg_cents: 0,
  max_weight_grams: null,
  countries: [],
  delivery_estimate: '',
};

const courierOf = ({ courier }: ShopSettings): CourierValues => ({
  provider: courier.provider,
  hasSender: courier.sender !== null,
  sender: courier.sender ?? noSender,
  default_weight_grams: courier.default_weight_grams,
  rate_card: courier.rate_card,
  easypost_api_key: '',
});

function courierPatch({ hasSender, sender, easypost_api_key, rate_card, ...values }: CourierValues): SettingsPatch {
  return {
    courier: {
      provider: values.provider,
      default_weight_grams: needed(values.default_weight_grams, 'courier/default_weight_grams'),
      sender: hasSender ? sender : null,
      rate_card: rate_card.map((rate, at) => ({
        ...rate,
        cost_cents: needed(rate.cost_cents, `courier/rate_card/${at}/cost_cents`),
        per_kg_cents: rate.per_kg_cents ?? 0,
      })),
      ...(easypost_api_key === '' ? {} : { easypost_api_key }),
    },
  };
}

const courierRows = (hasKey: boolean): FieldRows<CourierValues> => [
  {
    kind: 'choice',
    name: 'provider',
    label: t.fields.provider,
    options: (['manual', 'easypost'] as const).map((provider) => [provider, t.providers[provider]] as const),
  },
  {
    kind: 'password',
    name: 'easypost_api_key',
    label: t.fields.easypost_api_key,
    hint: hasKey ? t.keySet : t.keyNone,
    isShown: ({ provider }) => provider === 'easypost',
  },
  { kind: 'number', name: 'default_weight_grams', label: t.fields.default_weight_grams, unit: settingsText.units.grams },
];
const senderRows = [senderFields.map((name) => ({ kind: name === 'country' ? 'country' : 'text', name, label: t.sender[name] }) as const)];
const rateRows = (currency: string): FieldRows<Rate> => [
  [
    { kind: 'text', name: 'courier_name', label: t.rate.courier_name },
    { kind: 'text', name: 'courier_id', label: t.rate.courier_id },
    { kind: 'money', name: 'cost_cents', label: t.rate.cost_cents, unit: currency },
    { kind: 'money', name: 'per_kg_cents', label: t.rate.per_kg_cents, unit: currency },
    { kind: 'number', name: 'max_weight_grams', label: t.rate.max_weight_grams, unit: settingsText.units.grams },
    { kind: 'countries', name: 'countries', label: t.rate.countries, hint: t.allCountries },
    { kind: 'text', name: 'delivery_estimate', label: t.rate.delivery_estimate },
  ],
];

/** Who carries parcels, from where, and at what price. */
export function CourierSection(settings: Tagged<ShopSettings>) {
  const mayChange = useMay()('admin_api.settings.write');
  const form = useSettingsForm(settings, courierOf, courierPatch);
  const { values, set } = form;
  const { currency } = useShop();
  return (
    <EditForm label={t.title} form={form} isPage nameOf={(name) => t.fields[name]} isReadOnly={!mayChange}>
      <FormGroup title={t.title}>
        <Fields fields={courierRows(settings.value.courier.easypost_api_key_set)} form={form} at="/courier" />
      </FormGroup>
      <FormGroup title={t.fields.sender}>
        <Fields fields={[{ kind: 'tick', name: 'hasSender', label: t.hasSender }]} form={form} at="/courier" />
        {values.hasSender ? (
          <Fields fields={senderRows} form={partOf(values.sender, (sender) => set('sender', sender), form.errors)} at="/courier/sender" />
        ) : null}
      </FormGroup>
      {values.rate_card.map((rate, at) => (
        <FormGroup
          // biome-ignore lint/suspicious/noArrayIndexKey: a rate has no id of its own while it is edited
          key={at}
          title={t.rateNamed(rate.courier_name || t.newRate)}
          act={
            <Button kind="danger" onClick={() => set('rate_card', values.rate_card.toSpliced(at, 1))}>
              {t.removeRate}
            </Button>
          }
        >
          <Fields
            fields={rateRows(currency)}
            form={partOf(rate, (next) => set('rate_card', values.rate_card.with(at, next)), form.errors)}
            at={`/courier/rate_card/${at}`}
          />
        </FormGroup>
      ))}
      <div>
        <Button onClick={() => set('rate_card', [...values.rate_card, newRate])}>{t.addRate}</Button>
      </div>
    </EditForm>
  );
}
