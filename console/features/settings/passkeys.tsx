import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Passkey } from '../../../contract/passkeys.ts';
import { confirmed } from '../../api/passkeys.ts';
import { Elsewhere, PasskeyProblem } from '../../app/sign-in-by-passkey.tsx';
import { passkeyCode, signInCode } from '../../app/sign-in-code.ts';
import { blanks } from '../../parts/blanks.ts';
import { RecoveryCodes } from '../../parts/recovery-codes.tsx';
import { Remove } from '../../parts/remove.tsx';
import { Moment } from '../../parts/values.tsx';
import { passkeysText as t } from '../../texts/passkeys.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { List } from '../../ui/list.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MarkedText } from '../../ui/marked-text.tsx';
import { Section } from '../../ui/page.tsx';
import { actColumn, TaggedName } from './columns.tsx';
import { calls, myPasskeys } from './queries.ts';

/** The passkeys of whoever is signed in, and the codes by which a lost one is replaced. */
export function Passkeys() {
  const own = useQuery(myPasskeys);
  return (
    <Loaded query={own}>
      {({ passkeys, origin, recovery_codes_left }) =>
        origin === window.location.origin ? (
          <Here passkeys={passkeys} left={recovery_codes_left} />
        ) : (
          <Section title={t.section}>
            {origin === null ? null : (
              <Elsewhere address={origin} path={passkeyCode.current === null ? 'settings/me' : `passkey#${passkeyCode.current}`} />
            )}
          </Section>
        )
      }
    </Loaded>
  );
}

function Here({ passkeys, left }: { passkeys: readonly Passkey[]; left: number }) {
  const queries = useQueryClient();
  const own = useQuery(myPasskeys);
  const again = (): Promise<void> => queries.invalidateQueries({ queryKey: ['me.list_passkeys'] });
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const add = useMutation({
    mutationFn: async () => {
      const { code } = await calls.me.create_passkey_code({ assertion: await confirmed(calls, 'add_passkey') });
      if (code !== null) signInCode.set({ kind: 'passkey', code });
    },
  });
  const makeCodes = useMutation({
    mutationFn: async () => calls.me.create_recovery_codes({ assertion: await confirmed(calls, 'recovery_codes') }),
    onSuccess: async (made) => {
      setCodes(made.codes);
      await again();
    },
  });
  const byLink = passkeyCode.current;
  const addPasskey = (): void => (byLink === null ? add.mutate() : signInCode.set({ kind: 'passkey', code: byLink }));
  const mayAdd = byLink !== null || passkeys.length > 0;
  return (
    <Section
      title={t.section}
      act={
        mayAdd ? (
          <Button onClick={addPasskey} disabled={add.isPending}>
            {t.add}
          </Button>
        ) : null
      }
    >
      <PasskeyProblem failure={add.error ?? makeCodes.error} />
      {passkeys.length === 0 ? (
        <>
          <p>{t.none}</p>
          {mayAdd ? null : (
            <p className="muted">
              <MarkedText text={t.how} />
            </p>
          )}
        </>
      ) : (
        <List
          label={t.section}
          query={{ ...own, data: own.data?.passkeys }}
          idOf={({ id }) => id}
          nameOf={({ name }) => name}
          blank={blanks.tokens}
          empty={t.none}
          columns={[
            {
              name: 'name',
              head: t.columns.name,
              cell: (one) => <TaggedName name={one.name} tag={one.backed_up ? t.synced : null} />,
            },
            { name: 'made', head: t.columns.made, cell: ({ created_at }) => <Moment at={created_at} kind="day" />, isMinor: true },
            {
              name: 'used',
              head: t.columns.used,
              cell: ({ last_used_at }) => (last_used_at === null ? t.never : <Moment at={last_used_at} />),
            },
            actColumn(t.columns.act, (one: Passkey) => (
              <>
                <Button kind="quiet" aria-label={t.renameNamed(one.name)} onClick={() => setRenamed(one)}>
                  {t.rename}
                </Button>{' '}
                <Remove
                  name={one.name}
                  act={t.remove}
                  label={t.removeNamed(one.name)}
                  title={t.removeTitle(one.name)}
                  run={async () => calls.me.delete_passkey(one.id, { assertion: await confirmed(calls, 'delete_passkey') })}
                  onDone={again}
                >
                  <p>{t.removeDetail}</p>
                </Remove>
              </>
            )),
          ]}
        />
      )}
      {renamed === null ? null : (
        <Rename
          key={renamed.id}
          passkey={renamed}
          done={() => {
            setRenamed(null);
            void again();
          }}
        />
      )}
      {codes !== null ? (
        <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />
      ) : passkeys.length > 0 ? (
        <p className="recovery-acts">
          {t.left(left)}
          <Button kind="quiet" onClick={() => makeCodes.mutate()} disabled={makeCodes.isPending}>
            {t.newCodes}
          </Button>
        </p>
      ) : null}
    </Section>
  );
}

function Rename({ passkey, done }: { passkey: Passkey; done(): void }) {
  const [name, setName] = useState(passkey.name);
  const save = useMutation({ mutationFn: () => calls.me.update_passkey(passkey.id, { name: name.trim() }), onSuccess: done });
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (name.trim() !== '') save.mutate();
  }
  return (
    <form className="passkey-name" onSubmit={submit} noValidate>
      <PasskeyProblem failure={save.error} />
      <TextField label={t.name} autoFocus value={name} error={name.trim() === '' ? t.nameMissing : undefined} onValue={setName} />
      <div className="recovery-acts">
        <Button kind="first" type="submit">
          {t.save}
        </Button>
        <Button onClick={done}>{t.cancel}</Button>
      </div>
    </form>
  );
}
