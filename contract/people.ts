import { z } from 'zod';
import { text } from './values.ts';

/** Contact details and addresses of orders and customers. */

/** An e-mail address as it was typed; empty means none (spec G22, PH1). */
export const Email = text().refine((value) => value === '' || /^\s*[^\s@]+@[^\s@]+\s*$/.test(value), {
  message: 'must be an e-mail address',
  params: { code: 'invalid_value' },
});

/** A required e-mail address, trimmed. */
export const EmailAddress = text({ min: 1, trim: true }).refine((value) => value === '' || /^[^\s@]+@[^\s@]+$/.test(value), {
  message: 'must be an e-mail address',
  params: { code: 'invalid_value' },
});

/** ISO 3166 alpha-2, upper case (spec PH8). */
export const Country = z
  .string()
  .refine((value) => /^[A-Z]{2}$/.test(value), {
    message: 'must be two upper-case letters, a country code of ISO 3166',
    params: { code: 'invalid_value' },
  })
  .meta({ minLength: 2, maxLength: 2 });

/** A country code as in `Country`, or the empty string. */
export const CountryOrNone = z
  .string()
  .refine((value) => /^([A-Z]{2})?$/.test(value), {
    message: 'must be two upper-case letters, a country code of ISO 3166, or empty',
    params: { code: 'invalid_value' },
  })
  .meta({ maxLength: 2 });

/** Free text about a record: a note, a reason or a comment (spec G19). */
export const NoteText = text({ max: 10_000 });

export const CustomFieldValue = z.object({ field_name: text(), field_value: text({ max: 10_000 }) }).meta({ id: 'CustomFieldValue' });
export type CustomFieldValue = z.infer<typeof CustomFieldValue>;

export const BillingAddress = z
  .object({
    name: text().optional(),
    line1: text({ min: 1, trim: true }),
    line2: text().optional(),
    city: text({ min: 1, trim: true }),
    state: text().optional(),
    postal_code: text(),
    country: Country,
    tax_number: text().optional(),
  })
  .meta({ id: 'BillingAddress' });
export type BillingAddress = z.infer<typeof BillingAddress>;
