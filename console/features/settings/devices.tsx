import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ListedToken } from '../../../contract/admins.ts';
import { blanks } from '../../parts/blanks.ts';
import { Remove } from '../../parts/remove.tsx';
import { useMe } from '../../parts/shop.ts';
import { Moment } from '../../parts/values.tsx';
import { settingsText } from '../../texts/settings.ts';
import { List } from '../../ui/list.tsx';
import { Section } from '../../ui/page.tsx';
import { actColumn, TaggedName } from './columns.tsx';
import { calls, myTokens } from './queries.ts';

const t = settingsText.me;

/** The browsers in which one is signed in by a link. */
export function Devices() {
  const me = useMe();
  const queries = useQueryClient();
  const tokens = useQuery(myTokens);
  const again = (): Promise<void> => queries.invalidateQueries({ queryKey: ['me.list_tokens'] });
  const signedIn = tokens.data?.filter(({ device }) => device !== null);
  if (signedIn?.length === 0) return null;
  const nameOf = ({ device }: ListedToken): string => device || t.unknownDevice;
  return (
    <Section title={t.devices}>
      <List
        label={t.devices}
        query={{ ...tokens, data: signedIn }}
        idOf={({ id }) => id}
        nameOf={nameOf}
        blank={blanks.tokens}
        empty={t.noDevices}
        columns={[
          {
            name: 'device',
            head: t.deviceColumns.device,
            cell: (token) => <TaggedName name={nameOf(token)} tag={token.id === me.token_id ? t.here : null} />,
          },
          { name: 'since', head: t.deviceColumns.since, cell: ({ created_at }) => <Moment at={created_at} />, isMinor: true },
          {
            name: 'expires',
            head: t.deviceColumns.expires,
            cell: ({ expires_at }) => (expires_at === null ? t.neverExpires : <Moment at={expires_at} />),
          },
          actColumn(t.deviceColumns.act, (token: ListedToken) => (
            <Remove
              name={nameOf(token)}
              act={t.signOut}
              label={t.signOutNamed(nameOf(token))}
              title={t.signOutTitle(nameOf(token))}
              run={() => calls.me.revoke_token(token.id)}
              onDone={again}
            >
              <p>{token.id === me.token_id ? t.revokeThis : t.signOutDetail}</p>
            </Remove>
          )),
        ]}
      />
    </Section>
  );
}
