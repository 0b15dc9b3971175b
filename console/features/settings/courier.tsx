import type { CourierRate, SettingsPatch, ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import { MoneyField } from '../../parts/money-field.tsx';
import { needed } from '../../parts/record-form.ts';
import { useMay } from '../../parts/shop.ts';
import { settingsText } from '../../texts/settings.ts';
import { Button } from '../../ui/button.tsx';
import { NumberField, SelectField, TextField, Tick } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { listOf, listText, useSettingsForm } from './settings-form.ts';

const t = settingsText.courier;

type Rate = Omit<CourierRate, 'cost_cents' | 'per_kg_cents' | 'countries'> & {
  cost_cents: number | null;
  per_kg_cents: number | null;
  countries: string;
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
  countries: '',
  delivery_estimate: '',
};

const courierOf = ({ courier }: ShopSettings): CourierValues => ({
  provider: courier.provider,
  hasSender: courier.sender !== null,
  sender: courier.sender ?? noSender,
  default_weight_grams: courier.default_weight_grams,
  rate_card: courier.rate_card.map((rate) => ({ ...rate, countries: listText(rate.countries) })),
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
        countries: listOf(rate.countries),
      })),
      ...(easypost_api_key === '' ? {} : { easypost_api_key }),
    },
  };
}

/** Who carries parcels, from where, and at what price. */
export function CourierSection(settings: Tagged<ShopSettings>) {
  const mayChange = useMay()('admin_api.settings.write');
  const form = useSettingsForm(settings, courierOf, courierPatch);
  const { values, set } = form;
  return (
    <Section title={t.title}>
      <EditForm label={t.title} form={form} nameOf={(name) => t.fields[name]} isReadOnly={!mayChange}>
        <div className="form-row">
          <SelectField
            label={t.fields.provider}
            value={values.provider}
            options={(['manual', 'easypost'] as const).map((provider) => [provider, t.providers[provider]] as const)}
            onValue={(provider) => set('provider', provider)}
          />
          <NumberField
            label={t.fields.default_weight_grams}
            pointer="/courier/default_weight_grams"
            error={form.errorAt('courier/default_weight_grams')}
            value={values.default_weight_grams}
            onValue={(grams) => set('default_weight_grams', grams)}
          />
        </div>
        {values.provider === 'easypost' ? (
          <TextField
            label={t.fields.easypost_api_key}
            type="password"
            autoComplete="new-password"
            hint={settings.value.courier.easypost_api_key_set ? t.keySet : t.keyNone}
            pointer="/courier/easypost_api_key"
            error={form.errorAt('courier/easypost_api_key')}
            value={values.easypost_api_key}
            onValue={(key) => set('easypost_api_key', key)}
          />
        ) : null}
        <Tick label={t.hasSender} checked={values.hasSender} onValue={(hasSender) => set('hasSender', hasSender)} />
        {values.hasSender ? (
          <div className="form-row">
            {senderFields.map((name) => (
              <TextField
                key={name}
                label={t.sender[name]}
                pointer={`/courier/sender/${name}`}
                error={form.errorAt(`courier/sender/${name}`)}
                value={values.sender[name]}
                onValue={(value) => set('sender', { ...values.sender, [name]: value })}
              />
            ))}
          </div>
        ) : null}
        <h3>{t.fields.rate_card}</h3>
        {values.rate_card.map((rate, at) => (
          <RateFields
            // biome-ignore lint/suspicious/noArrayIndexKey: a rate has no id of its own while it is edited
            key={at}
            rate={rate}
            errorOf={(name) => form.errorAt(`courier/rate_card/${at}/${name}`)}
            pointer={`/courier/rate_card/${at}`}
            set={(next) => set('rate_card', values.rate_card.with(at, next))}
            remove={() => set('rate_card', values.rate_card.toSpliced(at, 1))}
          />
        ))}
        <div>
          <Button onClick={() => set('rate_card', [...values.rate_card, newRate])}>{t.addRate}</Button>
        </div>
      </EditForm>
    </Section>
  );
}

type RateProps = { rate: Rate; pointer: string; errorOf(name: string): string | undefined; set(rate: Rate): void; remove(): void };

function RateFields({ rate, pointer, errorOf, set, remove }: RateProps) {
  const at = (name: keyof Rate) => ({ label: t.rate[name], pointer: `${pointer}/${name}`, error: errorOf(name) });
  return (
    <fieldset className="part">
      <legend>{rate.courier_name || t.newRate}</legend>
      <div className="form-row">
        <TextField {...at('courier_name')} value={rate.courier_name} onValue={(courier_name) => set({ ...rate, courier_name })} />
        <TextField {...at('courier_id')} value={rate.courier_id} onValue={(courier_id) => set({ ...rate, courier_id })} />
        <MoneyField {...at('cost_cents')} value={rate.cost_cents} onValue={(cost_cents) => set({ ...rate, cost_cents })} />
        <MoneyField {...at('per_kg_cents')} value={rate.per_kg_cents} onValue={(per_kg_cents) => set({ ...rate, per_kg_cents })} />
        <NumberField
          {...at('max_weight_grams')}
          value={rate.max_weight_grams}
          onValue={(max_weight_grams) => set({ ...rate, max_weight_grams })}
        />
        <TextField {...at('countries')} hint={t.allCountries} value={rate.countries} onValue={(countries) => set({ ...rate, countries })} />
        <TextField
          {...at('delivery_estimate')}
          value={rate.delivery_estimate}
          onValue={(delivery_estimate) => set({ ...rate, delivery_estimate })}
        />
      </div>
      <div>
        <Button kind="danger" onClick={remove}>
          {t.removeRate}
        </Button>
      </div>
    </fieldset>
  );
}
