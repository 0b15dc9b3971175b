import { dateText } from '../language/formats.ts';
import { folded, languagesWith, type Named } from './named.ts';

const lists = new Map<string, readonly Named[]>();

/** The zones that the browser knows, by their cities and by what their time is called in some languages: Central European Time. */
export function zonesIn(languages: readonly string[]): readonly Named[] {
  const key = languages.join();
  const list = lists.get(key) ?? listed(languagesWith(languages));
  lists.set(key, list);
  return list;
}

/** `America/New_York` as people read it. */
export const zoneName = (zone: string): string => zone.replaceAll('_', ' ');

function listed(languages: readonly string[]): readonly Named[] {
  return [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].toSorted().map((code) => {
    const times = languages.map((one) => namedPart(new Intl.DateTimeFormat(one, { timeZone: code, timeZoneName: 'longGeneric' })));
    return { code, name: zoneName(code), note: offsetOf(code), known: [...new Set([code, ...times].map(folded))] };
  });
}

const namedPart = (format: Intl.DateTimeFormat): string =>
  format.formatToParts(new Date()).find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** How far its time is from UTC now: `GMT+2`. */
function offsetOf(zone: string): string {
  return dateText(new Date(), { timeZone: zone, timeZoneName: 'shortOffset', hour: 'numeric' }).replace(/^.*\s/, '');
}
