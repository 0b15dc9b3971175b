import { useQuery } from '@tanstack/react-query';
import { AccessRow } from '../../parts/access.tsx';
import { RecordLink } from '../../parts/record-link.tsx';
import { customersText as t } from '../../texts/customers.ts';
import { Rows } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { customerAccess } from './queries.ts';

export function Access({ id }: { id: number }) {
  const access = useQuery(customerAccess(id));
  return (
    <Section title={t.access.title}>
      <Rows query={access} none={t.access.none}>
        {(one) => (
          <AccessRow
            key={`${one.group_slug} ${one.source} ${one.source_id}`}
            name={one.group_name}
            link={
              <RecordLink permission="admin_api.access_groups.read" to="/access-groups" search={{ q: one.group_name }}>
                {one.group_name}
              </RecordLink>
            }
            access={one}
            revokeTitle={t.access.revokeTitle(one.group_name)}
          />
        )}
      </Rows>
    </Section>
  );
}
