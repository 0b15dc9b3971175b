import { type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { apiUntil } from '../../api/client.ts';
import { momentText } from '../../language/formats.ts';
import { useDelayed } from '../../parts/delayed.ts';
import { useMay, useShop } from '../../parts/shop.ts';
import { useMoney } from '../../parts/values.tsx';
import { type Hit, type RecordKind, recordKinds, type Say } from './record-kinds.ts';

/** Who still types is asked for nothing. */
const TYPING_MS = 150;
/** Answers are shown together, so that the list does not move under the reader; a slow one is not waited for longer than this. */
const TOGETHER_MS = 600;
/** A single character is in too many records to be worth a search. */
const TEXT_MIN = 2;
/** The characters of which an order's number is made; so many of them at least say which order is meant. */
const ORDER_NUMBER = /^[0-9A-HJKMNP-TV-Z]{4,12}$/i;

export type KindName = RecordKind['name'];
/** What was found of each kind for one text, and the kinds whose search failed. */
export type Records = {
  of: string;
  kinds: { name: KindName; list: string | undefined; numberMark: string | undefined; hits: Hit[] }[];
  failed: KindName[];
};

/**
 * Searches all kinds that the admin may read for what is typed. What was found last stays until the next answers are there; `of` says
 * which text it was found for.
 */
export function useRecords(typed: string): Records & { isSearching: boolean; retry(): void } {
  const may = useMay();
  const money = useMoney();
  const { timezone } = useShop();
  const say: Say = { money, day: (at) => momentText(at, timezone, 'day') };
  const queries = useQueryClient();
  const wanted = isSearchable(typed) ? typed : '';
  const asked = useDelayed(wanted, TYPING_MS);
  const isLate = useDelayed(asked, TOGETHER_MS) === asked;
  const kinds = asked === '' ? [] : recordKinds.filter(({ permission }) => may(permission));
  const names = kinds.map(({ name }) => name).join();
  const combine = useCallback(
    (results: UseQueryResult<Hit[]>[]) => {
      const searched = recordKinds.filter(({ name }) => names.split(',').includes(name));
      return {
        records: {
          of: asked,
          kinds: searched.map(({ name, list, numberMark }, at) => ({ name, list, numberMark, hits: results[at]?.data ?? [] })),
          failed: searched.filter((_, at) => results[at]?.isError).map(({ name }) => name),
        },
        isPending: results.some(({ isPending }) => isPending),
      };
    },
    [asked, names],
  );
  const { records, isPending } = useQueries({
    queries: kinds.map((kind) => ({
      queryKey: ['palette', kind.name, asked],
      queryFn: ({ signal }: { signal: AbortSignal }) => find(kind, asked, say, signal),
      // Who sees that a search failed can have it tried again.
      retry: false,
      refetchInterval: false as const,
    })),
    combine,
  });
  const shown = useHeld(records, !isPending || isLate);
  return {
    ...shown,
    isSearching: asked !== wanted || isPending,
    retry() {
      for (const name of shown.failed) void queries.refetchQueries({ queryKey: ['palette', name, shown.of] });
    },
  };
}

/** The value while it may be shown, else the one that was shown last. */
function useHeld<T>(value: T, isReady: boolean): T {
  const [held, setHeld] = useState(value);
  if (isReady && held !== value) setHeld(value);
  return isReady ? value : held;
}

function isSearchable(typed: string): boolean {
  const { text, id, orderNumber } = wantedOf(typed);
  return text !== null || id !== null || orderNumber !== null;
}

type Wanted = { text: string | null; id: number | null; orderNumber: string | null };

/** Reads what is typed. `#` in front says that a number is meant. */
function wantedOf(typed: string): Wanted {
  const number = typed.replace(/^#/, '');
  const id = /^\d+$/.test(number) && Number.isSafeInteger(Number(number)) && Number(number) > 0 ? Number(number) : null;
  return {
    text: typed.startsWith('#') || typed.length < TEXT_MIN ? null : typed,
    id,
    orderNumber: id !== null || ORDER_NUMBER.test(number) ? number : null,
  };
}

async function find(kind: RecordKind, typed: string, say: Say, signal: AbortSignal): Promise<Hit[]> {
  const api = apiUntil(signal);
  const { text, id, orderNumber } = wantedOf(typed);
  const isText = text !== null && (id === null || kind.areNumbersTexts === true);
  const found = await Promise.all([
    orderNumber === null ? undefined : kind.byOrderNumber?.(api, orderNumber, say),
    id === null ? undefined : kind.byId?.(api, id),
    isText ? kind.byText?.(api, text, say) : undefined,
  ]);
  const hits = found.flatMap((some) => some ?? []);
  return [...new Map(hits.toReversed().map((hit) => [hit.id, hit])).values()].toReversed();
}
