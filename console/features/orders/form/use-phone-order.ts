import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError } from '../../../api/client.ts';
import { useDelayed } from '../../../parts/delayed.ts';
import { useRecordForm } from '../../../parts/record-form.ts';
import { shortagesOf } from '../../../parts/shortages.ts';
import { createPhoneOrder, phonePreview } from '../phone-queries.ts';
import { emptyPhoneOrder, payloadOf, previewOf } from './phone-values.ts';

const PREVIEW_AFTER_MS = 80;
const NO_ORDER = payloadOf(emptyPhoneOrder);

/** A phone order while it is typed, with the totals that the server computes of it. */
export function usePhoneOrder(onMade: (id: number) => void) {
  const queries = useQueryClient();
  const seenTotal = useRef<number | undefined>(undefined);
  const form = useRecordForm({
    values: emptyPhoneOrder,
    send: (values, options) => {
      const expected = seenTotal.current === undefined ? {} : { expected_total_cents: seenTotal.current };
      return createPhoneOrder({ ...payloadOf(values), ...expected }, options);
    },
    onSaved: ({ id }) => {
      // The list that is opened next has it, instead of telling of it as of one that somebody else has made.
      queries.removeQueries({ queryKey: ['orders.list'], type: 'inactive' });
      onMade(id);
    },
  });
  const wanted = previewOf(form.values);
  const asked = useDelayed(wanted, PREVIEW_AFTER_MS);
  const answer = useQuery({
    ...phonePreview('body' in asked ? asked.body : NO_ORDER),
    enabled: 'body' in asked && 'body' in wanted,
  });
  const isAsked = 'body' in wanted;
  const isSettled = JSON.stringify(asked) === JSON.stringify(wanted) && !answer.isPlaceholderData;
  const refused = isAsked && answer.error instanceof ApiError ? answer.error : null;
  const preview = isAsked && !answer.error ? answer.data : undefined;
  const errors = [...form.errors, ...(refused?.errors ?? []).map(({ pointer, detail }) => ({ pointer: pointer ?? '', detail }))];
  seenTotal.current = preview?.total_cents;
  return {
    form,
    preview,
    missing: 'missing' in wanted ? wanted.missing : undefined,
    /** The totals of what stands in the fields are on their way. */
    isWaiting: isAsked && !answer.error && !(isSettled && answer.data !== undefined),
    shortages: shortagesOf(refused) ?? shortagesOf(form.failure) ?? [],
    trouble: isAsked && answer.error && refused?.status !== 422 && refused?.code !== 'insufficient_stock' ? answer.error : null,
    refusals: refused?.status === 422 ? refused.errors : [],
    /** What the fields of the form show: refusals of the order or, while it is typed, of its preview. */
    shown: { values: form.values, set: form.set, errors },
    errorAt: (pointer: string): string | undefined => errors.find((one) => one.pointer === pointer)?.detail,
    previewAgain: () => answer.refetch(),
  };
}

export type PhoneOrderEdit = ReturnType<typeof usePhoneOrder>;
