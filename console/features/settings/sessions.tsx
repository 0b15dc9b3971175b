import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Session } from '../../../contract/sessions.ts';
import { blanks } from '../../parts/blanks.ts';
import { Remove } from '../../parts/remove.tsx';
import { useMay } from '../../parts/shop.ts';
import { Moment } from '../../parts/values.tsx';
import { passkeysText as t } from '../../texts/passkeys.ts';
import { List } from '../../ui/list.tsx';
import { Section } from '../../ui/page.tsx';
import { actColumn, TaggedName } from './columns.tsx';
import { calls, mySessions, sessionsOf } from './queries.ts';

const nameOf = ({ device }: Session): string => device || t.unknownDevice;

/** The browsers in which one is signed in by passkey. */
export function Sessions() {
  const queries = useQueryClient();
  const sessions = useQuery(mySessions);
  const again = (): Promise<void> => queries.invalidateQueries({ queryKey: ['me.list_sessions'] });
  if (sessions.data?.length === 0) return null;
  const others = (sessions.data ?? []).filter(({ is_current }) => !is_current);
  const endOthers = (
    <Remove
      name={t.sessions}
      kind="quiet"
      act={t.endOthers}
      title={t.endOthersTitle}
      run={() => calls.me.revoke_other_sessions()}
      onDone={again}
    >
      <p>{t.endOthersDetail(others.length)}</p>
    </Remove>
  );
  return (
    <Section title={t.sessions} act={others.length > 0 ? endOthers : null}>
      <SessionList sessions={sessions} end={(id) => calls.me.revoke_session(id)} onEnded={again} />
    </Section>
  );
}

/** Where somebody else is signed in by passkey; owners end it. */
export function SessionsOf({ adminId }: { adminId: number }) {
  const queries = useQueryClient();
  const mayEnd = useMay()('admin_api.admins.write');
  const sessions = useQuery(sessionsOf(adminId));
  const again = (): Promise<void> => queries.invalidateQueries({ queryKey: ['admins.list_sessions', adminId] });
  if (sessions.data?.length === 0) return null;
  return (
    <Section title={t.sessions}>
      <SessionList sessions={sessions} end={mayEnd ? (id) => calls.admins.revoke_session(adminId, id) : null} onEnded={again} />
    </Section>
  );
}

type ListProps = { sessions: UseQueryResult<Session[]>; end: ((id: number) => Promise<unknown>) | null; onEnded(): Promise<void> };

function SessionList({ sessions, end, onEnded }: ListProps) {
  return (
    <List
      label={t.sessions}
      query={sessions}
      idOf={({ id }) => id}
      nameOf={nameOf}
      blank={blanks.tokens}
      empty={t.noSessions}
      columns={[
        {
          name: 'device',
          head: t.sessionColumns.device,
          cell: (one) => <TaggedName name={nameOf(one)} tag={one.is_current ? t.here : null} />,
        },
        { name: 'address', head: t.sessionColumns.address, cell: ({ address }) => address, isMinor: true },
        { name: 'since', head: t.sessionColumns.since, cell: ({ created_at }) => <Moment at={created_at} />, isMinor: true },
        {
          name: 'used',
          head: t.sessionColumns.used,
          cell: ({ last_used_at, created_at }) => <Moment at={last_used_at ?? created_at} />,
        },
        ...(end === null
          ? []
          : [
              actColumn(t.sessionColumns.act, (one: Session) => (
                <Remove
                  name={nameOf(one)}
                  act={t.end}
                  label={t.endNamed(nameOf(one))}
                  title={t.endTitle(nameOf(one))}
                  run={() => end(one.id)}
                  onDone={onEnded}
                >
                  <p>{one.is_current ? t.endHere : t.endDetail}</p>
                </Remove>
              )),
            ]),
      ]}
    />
  );
}
