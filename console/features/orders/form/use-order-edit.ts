import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { OrderEditPreview } from '../../../../contract/order-edits.ts';
import type { OrderDetail, OrderItem } from '../../../../contract/orders.ts';
import { ApiError, type Tagged } from '../../../api/client.ts';
import { useDelayed } from '../../../parts/delayed.ts';
import { useRecordForm } from '../../../parts/record-form.ts';
import { editPreview, orderWrites, refreshOrders, rereadOrder } from '../order-queries.ts';
import { changesOf, type EditValues, lineIds, mannerOf, sentLines, valuesOf } from './edit-values.ts';

/** Short enough to be seen at once, long enough not to ask for each key. */
const PREVIEW_AFTER_MS = 80;

/** The edit of one order, with what the server says that it would change. */
export function useOrderEdit({ value: order, etag }: Tagged<OrderDetail>) {
  const queries = useQueryClient();
  // Lines stay known by name when somebody else removes them while they are edited here.
  const known = useRef(new Map<number, OrderItem>());
  for (const item of order.items) known.current.set(item.id, item);
  const seenTotal = useRef(order.total);
  const form = useRecordForm({
    values: valuesOf(order),
    etag,
    send: (values, options, base) => {
      const body = { ...changesOf(values, base, known.current), ...mannerOf(values), expected_total_cents: seenTotal.current };
      return orderWrites.edit(order.id, body, options);
    },
    reread: async () => {
      const fresh = await rereadOrder(queries, order.id);
      return { value: valuesOf(fresh.value), etag: fresh.etag };
    },
    onSaved: () => refreshOrders(queries),
  });
  const changes = changesOf(form.values, form.base, known.current);
  const isChanged = Object.keys(changes).length > 0;
  const asked = useDelayed(changes, PREVIEW_AFTER_MS);
  const isAsked = isChanged && Object.keys(asked).length > 0;
  const answer = useQuery({ ...editPreview(order.id, { etag }, asked), enabled: isAsked });
  const preview: OrderEditPreview | undefined = isChanged ? answer.data : undefined;
  const isIncomplete = lineIds(form.values).some((id) => form.values[`quantity/${id}`] === null);
  const isCurrent = preview !== undefined && !answer.isPlaceholderData && !answer.error && isSame(asked, changes) && !isIncomplete;
  const isRefused = isIncomplete || (isChanged && Boolean(answer.error) && isSame(asked, changes));
  seenTotal.current = preview?.totals_after.total ?? order.total;
  const refusals = isChanged && answer.error instanceof ApiError ? answer.error : null;
  const sent = sentLines(form.values, form.base, known.current);
  return {
    form,
    known: known.current,
    isChanged,
    preview,
    /** The preview is of what stands in the fields now. */
    isCurrent,
    /** The edit cannot be saved as it stands. */
    isRefused,
    isIncomplete,
    /** Why there is no preview: what is not at a field of its own. */
    trouble: isChanged && answer.error && !(refusals && refusals.status === 422) ? answer.error : null,
    /** Where the line stands in the body, as refusals name it; undefined: it is not sent. */
    pointerOf(line: number | string, name: string): string | undefined {
      const at = sent.findIndex((one) => one.line === line);
      return at < 0 ? undefined : `/items/${at}/${name}`;
    },
    /** A refusal of the saved edit or, while it is typed, of its preview. */
    errorAt(pointer: string | undefined): string | undefined {
      if (pointer === undefined) return undefined;
      return form.errorAt(pointer) ?? refusals?.errors.find((one) => one.pointer === pointer)?.detail;
    },
    /** What the preview refuses and no field shows. */
    otherErrors(shown: (pointer: string) => boolean): string[] {
      return (refusals?.errors ?? []).filter(({ pointer }) => pointer === null || !shown(pointer)).map(({ detail }) => detail);
    },
    previewAgain: () => queries.invalidateQueries({ queryKey: ['orders.preview_edit', order.id] }),
  };
}

export type OrderEdit = ReturnType<typeof useOrderEdit>;

/** The props of a text field of the edit; what the preview refuses is shown there at once. */
export function fieldOf(edit: OrderEdit, name: TextName) {
  const props = edit.form.text(name);
  return { ...props, error: edit.errorAt(props.pointer) };
}

type TextName = { [K in keyof EditValues]: EditValues[K] extends string ? K : never }[keyof EditValues] & string;

function isSame(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
