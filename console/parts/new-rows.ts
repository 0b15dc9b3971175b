import { useState } from 'react';

type Held<Row> = { rows: readonly Row[] | undefined; count: number; show(): void };

/**
 * Holds back rows that came to be while the list is looked at, so that nothing moves under the pointer: they are counted, and
 * shown when asked for. Ids grow with time. `place`: which list it is; another one starts anew.
 */
export function useNewRows<Row extends { id: number }>(place: string, rows: readonly Row[] | undefined, isHolding: boolean): Held<Row> {
  const newest = rows?.reduce((max, { id }) => Math.max(max, id), 0);
  const [known, setKnown] = useState({ place, newest });
  if (known.place !== place || (known.newest === undefined && newest !== undefined)) setKnown({ place, newest });
  const limit = known.place === place ? known.newest : newest;
  if (!rows || !isHolding || limit === undefined || limit === 0) return { rows, count: 0, show: () => undefined };
  const shown = rows.filter(({ id }) => id <= limit);
  return { rows: shown, count: rows.length - shown.length, show: () => setKnown({ place, newest }) };
}
