import { type RefObject, useEffect } from 'react';

/** The parts of an order that its edit begins at. */
export type EditPart = 'state' | 'lines' | 'price' | 'person';

const fields: Record<Exclude<EditPart, 'state'>, string> = {
  lines: '.order-lines input',
  price: '[data-pointer="/discount_amount_cents"]',
  person: '[data-pointer="/shipping_address/line1"]',
};
/** So much of the sheet stays in sight above the part. */
const ABOVE = 12;

/** Leads to the part that is edited: its first field has the focus, with its text selected, and its head stands at the top of the sheet. */
export function useEditPlace(place: RefObject<HTMLElement | null>, part: EditPart): void {
  useEffect(() => {
    const field = part === 'state' ? null : place.current?.querySelector<HTMLInputElement>(fields[part]);
    if (!field) return;
    field.focus({ preventScroll: true });
    field.select();
    const [sheet, head] = [field.closest('.sheet'), field.closest('details, .section') ?? field];
    if (sheet) sheet.scrollTop += head.getBoundingClientRect().top - sheet.getBoundingClientRect().top - ABOVE;
  }, [place, part]);
}
