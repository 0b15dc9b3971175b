import type { Product } from '../../../contract/products.ts';
import { productsText as t } from '../../texts/products.ts';
import { Button } from '../../ui/button.tsx';
import { TextField, Tick } from '../../ui/field.tsx';

type CustomField = Product['custom_fields'][number];
type Props = { fields: readonly CustomField[]; set(fields: CustomField[]): void; errorAt(pointer: string): string | undefined };

/** What a buyer fills in when ordering. */
export function CustomFields({ fields, set, errorAt }: Props) {
  const change = (at: number, part: Partial<CustomField>): void =>
    set(fields.map((field, index) => (index === at ? { ...field, ...part } : field)));
  return (
    <fieldset className="form-fields">
      <legend>{t.customFields.title}</legend>
      {fields.map(({ field_name, required }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a field is known by its place while its name is typed
        <div key={index} className="form-row">
          <TextField
            label={t.customFields.name(index + 1)}
            pointer={`/custom_fields/${index}/field_name`}
            error={errorAt(`custom_fields/${index}/field_name`) ?? errorAt(`custom_fields/${index}`)}
            value={field_name}
            onValue={(name) => change(index, { field_name: name })}
            autoComplete="off"
          />
          <div className="field-acts">
            <Tick label={t.customFields.required} checked={required} onValue={(on) => change(index, { required: on })} />
            <Button
              kind="quiet"
              aria-label={t.customFields.removeOne(index + 1)}
              onClick={() => set(fields.filter((_, other) => other !== index))}
            >
              {t.customFields.remove}
            </Button>
          </div>
        </div>
      ))}
      <div>
        <Button onClick={() => set([...fields, { field_name: '', required: false }])}>{t.customFields.add}</Button>
      </div>
    </fieldset>
  );
}
