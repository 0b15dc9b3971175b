import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { OrderEditPreview } from '../../../../contract/order-edits.ts';
import type { OrderDetail, OrderItem } from '../../../../contract/orders.ts';
import { ApiError, type Tagged } from '../../../api/client.ts';
import { useDelayed } from '../../../parts/delayed.ts';
import { isEqual, useRecordForm } from '../../../parts/record-form.ts';
import { editPreview, orderWrites, refreshOrders, rereadOrder } from '../order-queries.ts';
import { type EditValues, editOf, lineIds, mannerOf, sentLines, valuesOfOrder } from './edit-values.ts';
import { editFields } from './fields.ts';
import { type SavePart, sendParts } from './save-parts.ts';
import { stateOf, stateParts } from './state-values.ts';

/** Short enough to be seen at once, long enough not to ask for each key. */
const PREVIEW_AFTER_MS = 80;

/** The edit of one order, with what the server says that it would change. */
export function useOrderEdit({ value: order, etag }: Tagged<OrderDetail>) {
  const queries = useQueryClient();
  // Lines stay known by name when somebody else removes them while they are edited here.
  const known = useRef(new Map<number, OrderItem>());
  for (const item of order.items) known.current.set(item.id, item);
  const seenTotal = useRef(order.total);
  const fields = editFields(order);
  async function reread(): Promise<Tagged<EditValues>> {
    const fresh = await rereadOrder(queries, order.id);
    return { value: valuesOfOrder(fresh.value), etag: fresh.etag };
  }

  /** The calls that save what was changed. */
  function partsOf(values: EditValues, base: EditValues): SavePart[] {
    const changed = editOf(fields, values, base, known.current);
    const body = { ...changed, ...mannerOf(values), expected_total_cents: seenTotal.current };
    const isOfState = (name: string): boolean => Object.hasOwn(stateOf(order), name);
    const edit: SavePart = { saves: (name) => !isOfState(name), send: (options) => orderWrites.edit(order.id, body, options) };
    return [...(Object.keys(changed).length > 0 ? [edit] : []), ...stateParts(order.id, values, base)];
  }

  const form = useRecordForm({
    values: valuesOfOrder(order),
    etag,
    send: (values, options, base) => sendParts(partsOf(values, base), options, base, reread),
    reread,
    onSaved: () => refreshOrders(queries),
  });
  const changes = editOf(fields, form.values, form.base, known.current);
  const isChanged = Object.keys(changes).length > 0;
  const asked = useDelayed(changes, PREVIEW_AFTER_MS);
  const isAsked = isChanged && Object.keys(asked).length > 0;
  const answer = useQuery({ ...editPreview(order.id, { etag }, asked), enabled: isAsked });
  const preview: OrderEditPreview | undefined = isChanged ? answer.data : undefined;
  const isIncomplete = lineIds(form.values).some((id) => form.values[`quantity/${id}`] === null);
  const isCurrent = preview !== undefined && !answer.isPlaceholderData && !answer.error && isEqual(asked, changes) && !isIncomplete;
  const isRefused = isIncomplete || (isChanged && Boolean(answer.error) && isEqual(asked, changes));
  seenTotal.current = preview?.totals_after.total ?? order.total;
  const refused = isChanged && answer.error instanceof ApiError ? answer.error.errors : [];
  /** Refusals of the saved edit or, while it is typed, of its preview. */
  const errors = [...form.errors, ...refused.map(({ pointer, detail }) => ({ pointer: pointer ?? '', detail }))];
  const sent = sentLines(form.values, form.base, known.current);
  return {
    form,
    /** What the fields of the form show. */
    shown: { values: form.values, set: form.set, errors },
    known: known.current,
    /** Lines, prices, texts: what has a preview. */
    isChanged,
    /** Anything that a save would send. */
    hasChanges: isChanged || stateParts(order.id, form.values, form.base).length > 0,
    preview,
    /** The preview is of what stands in the fields now. */
    isCurrent,
    /** The edit cannot be saved as it stands. */
    isRefused,
    isIncomplete,
    /** Why there is no preview: what is not at a field of its own. */
    trouble: isChanged && answer.error && !(answer.error instanceof ApiError && answer.error.status === 422) ? answer.error : null,
    /** Where the line stands in the body, as refusals name it; undefined: it is not sent. */
    pointerOf(line: number | string, name: string): string | undefined {
      const at = sent.findIndex((one) => one.line === line);
      return at < 0 ? undefined : `/items/${at}/${name}`;
    },
    errorAt: (pointer: string | undefined): string | undefined =>
      pointer === undefined ? undefined : errors.find((one) => one.pointer === pointer)?.detail,
    /** What the preview refuses and no field shows. */
    otherErrors: (isShown: (pointer: string) => boolean): string[] =>
      refused.filter(({ pointer }) => pointer === null || !isShown(pointer)).map(({ detail }) => detail),
    previewAgain: () => queries.invalidateQueries({ queryKey: ['orders.preview_edit', order.id] }),
  };
}

export type OrderEdit = ReturnType<typeof useOrderEdit>;
