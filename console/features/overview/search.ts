import { defined, type Search } from '../../parts/search.ts';

export const periods = [7, 30, 90] as const;
export type Period = (typeof periods)[number];
/** The period that the address does not name. */
export const USUAL_PERIOD = 30;

/** What the address says of the overview: how many days its figures are of. */
export function readOverviewSearch(raw: Search): { days?: Period } {
  return defined({ days: periods.find((days) => days !== USUAL_PERIOD && days === raw['days']) });
}
