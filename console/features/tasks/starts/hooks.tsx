import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Hook } from '../../../../contract/hooks.ts';
import { blanks } from '../../../parts/blanks.ts';
import { useShop } from '../../../parts/shop.ts';
import { hooksText as t } from '../../../texts/hooks.ts';
import { tasksText } from '../../../texts/tasks.ts';
import type { Column } from '../../../ui/table.tsx';
import { hooks } from '../queries.ts';
import { type Address, type Answer, hookKind } from './hook-sheet.tsx';
import { StartsPage } from './starts.tsx';

const route = getRouteApi('/tasks/$id/hooks');

const columns: Column<Hook>[] = [
  { name: 'name', head: t.columns.name, cell: ({ name }) => name },
  {
    name: 'signed',
    head: t.columns.signed,
    cell: ({ verify }) => (verify === null ? <span className="muted">{t.notSigned}</span> : t.presetNames[verify.preset]),
    isMinor: true,
  },
];

export function HooksPage() {
  const navigate = route.useNavigate();
  const { public_url } = useShop();
  const [address, setAddress] = useState<Address | null>(null);
  const told = ({ id, url_path }: Answer): void =>
    setAddress({ hookId: id, url: url_path === null ? null : `${public_url ?? location.origin}${url_path}` });
  return (
    <StartsPage
      taskId={Number(route.useParams().id)}
      search={route.useSearch()}
      go={(search) => void navigate({ search })}
      title={tasksText.tabs.hooks}
      list={(id) => hooks(id).list}
      columns={columns}
      nameOf={({ name }) => name}
      texts={t}
      blank={blanks.hooks}
      kind={(detail, mayWrite) => hookKind(detail, { mayWrite, address, told, hide: () => setAddress(null) })}
    />
  );
}
