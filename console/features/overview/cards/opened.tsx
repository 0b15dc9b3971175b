import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Opened, useOpened } from '../../../parts/opened.ts';
import { useMay } from '../../../parts/shop.ts';
import { overviewText } from '../../../texts/overview.ts';
import { openedRecord } from '../queries.ts';
import { Card } from './card.tsx';

const t = overviewText.cards;

const permissions: Record<Opened['kind'], string> = {
  order: 'admin_api.orders.read',
  customer: 'admin_api.customers.read',
  product: 'admin_api.products.read',
  task: 'admin_api.ai_tasks.read',
};

/** What the admin has opened last in this browser. A record that is gone, or may not be seen any more, is left out. */
export function OpenedCard() {
  const may = useMay();
  const opened = useOpened().filter(({ kind }) => may(permissions[kind]));
  const names = useQueries({ queries: opened.map((one) => openedRecord(one)) });
  const rows = opened.flatMap((one, at) => {
    const name = names[at]?.data;
    return name === undefined ? [] : [{ key: `${one.kind} ${one.id}`, name: <RecordName {...one} name={name} />, note: t.kinds[one.kind] }];
  });
  return <Card name="opened" rows={rows} none={t.noneOpened} />;
}

function RecordName({ kind, id, name }: Opened & { name: string }) {
  if (kind === 'order') {
    return (
      <Link to="/orders" search={{ open: id }}>
        {name}
      </Link>
    );
  }
  if (kind === 'task') {
    return (
      <Link to="/tasks/$id" params={{ id: String(id) }}>
        {name}
      </Link>
    );
  }
  return (
    <Link to={kind === 'customer' ? '/customers/$id' : '/products/$id'} params={{ id }}>
      {name}
    </Link>
  );
}
