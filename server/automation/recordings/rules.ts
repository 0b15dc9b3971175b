export type OrderPart = { claim_id: number; upto: number; names: string };

/**
 * Joins the orders of a lineage's claims, the earliest first. A later claim follows the order of those before it, and tells of each answer
 * that did not follow it how many of that order came before.
 */
export function joinOrders(parts: readonly OrderPart[]): string[] {
  let order: string[] = [];
  for (const own of Map.groupBy(parts, ({ claim_id }) => claim_id).values()) {
    const entries = entriesOf(own);
    const moved = new Set(entries.map(({ name }) => name));
    const joined: string[] = [];
    let taken = 0;
    const takeUpTo = (end: number): void => {
      for (; taken < end; taken += 1) {
        const name = order[taken];
        if (name !== undefined && !moved.has(name)) joined.push(name);
      }
    };
    for (const { after, name } of entries) {
      takeUpTo(after);
      joined.push(name);
    }
    takeUpTo(order.length);
    order = joined;
  }
  return order;
}

/** The entries of one claim in their order. Parts that overlap have the same entries there. */
function entriesOf(parts: readonly OrderPart[]): { after: number; name: string }[] {
  const entries: { after: number; name: string }[] = [];
  for (const { upto, names } of parts) {
    const told = names.split(',');
    for (const [index, entry] of told.entries()) {
      const [after = '0', name = ''] = entry.split('/');
      entries[upto - told.length + index] = { after: Number(after), name };
    }
  }
  return entries.filter((entry) => entry !== undefined);
}
