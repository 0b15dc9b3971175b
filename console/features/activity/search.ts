import { dateOf, defined, idOf, type Search, textOf } from '../../parts/search.ts';

/** What the address says of a list of what happened: filters, and the place in it. */
export type ActivitySearch = {
  source?: string;
  status?: string;
  action?: string;
  type?: string;
  id?: number;
  from?: string;
  to?: string;
  endpoint?: number;
  before?: number;
  offset?: number;
  cursor?: string;
  open?: number;
};

export function readActivitySearch(raw: Search): ActivitySearch {
  return defined({
    source: textOf(raw['source']),
    status: textOf(raw['status']),
    action: textOf(raw['action']),
    type: textOf(raw['type']),
    id: idOf(raw['id']),
    from: dateOf(raw['from']),
    to: dateOf(raw['to']),
    endpoint: idOf(raw['endpoint']),
    before: idOf(raw['before']),
    offset: idOf(raw['offset']),
    cursor: textOf(raw['cursor']),
    open: idOf(raw['open']),
  });
}
