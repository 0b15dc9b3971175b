import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Hook } from '../../../../contract/hooks.ts';
import { declarationsOf } from '../../../parts/declarations.ts';
import { startValues } from '../../../parts/parameter-form.tsx';
import { changedOnly } from '../../../parts/record-form.ts';
import type { RecordKind } from '../../../parts/record-sheet.tsx';
import { useReload } from '../../../parts/reload.ts';
import { gatheringText } from '../../../texts/gathering.ts';
import { hooksText as t } from '../../../texts/hooks.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Secret } from '../../../ui/secret.tsx';
import { Banner } from '../../../ui/tabs.tsx';
import { hooks, type TaskDetail } from '../queries.ts';
import { HookFields } from './hook-form.tsx';
import { bodyOf, type HookValues, valuesOf } from './hook-values.ts';
import { StartSheetEnd } from './sheet-end.tsx';
import { plainStart } from './start-values.ts';
import { LastError } from './starts.tsx';
import { WaitingStarts } from './waiting-starts.tsx';

/** An answer that has the path of a hook, which is shown once; a repeated request is answered without it. */
export type Answer = { id: number; url_path: string | null };
/** An address that was just made; nobody can see it again. null: the answer that had it did not arrive. */
export type Address = { hookId: number; url: string | null };

type Around = { mayWrite: boolean; address: Address | null; told(answer: Answer): void; hide(): void };

export function hookKind(detail: TaskDetail, { mayWrite, address, told, hide }: Around): RecordKind<Hook, HookValues, Hook & Answer> {
  const { id: taskId } = detail.task;
  const calls = hooks(taskId);
  const declarations = detail.current_version ? declarationsOf(detail.current_version) : [];
  return {
    resources: ['ai_tasks'],
    creation: {
      ...{ title: t.create, submit: t.add },
      start: () => ({
        ...{ name: '', enabled: true, parameter: declarations.find(({ kind }) => kind === 'json')?.name ?? null },
        ...{ parameters: startValues(declarations), verify: null, idempotency_header: '', wait: false, rate_per_minute: 60 },
        ...{ repeats: 'once', raw_body: false, start: plainStart },
      }),
      create: (values, options) => calls.create(bodyOf(values), options),
      done: told,
    },
    key: ['ai_tasks.get_hook', taskId],
    get: calls.get,
    nameOf: ({ name }) => name,
    valuesOf,
    // What the version does not take any more is refused, so a hook that fails can be switched off only if that alone is sent.
    update: (id, values, options, base) => calls.update(id, changedOnly(bodyOf(values), bodyOf(base)), options),
    fields: (form, isNew) => <HookFields detail={detail} form={form} isNew={isNew} />,
    labelOf: (name) => (name === 'start' ? gatheringText.title : t.fields[name]),
    above: ({ id, last_error }) => (
      <>
        {address?.hookId === id ? <Made url={address.url} close={hide} /> : null}
        <LastError words={t.lastError} error={last_error} />
        <WaitingStarts taskId={taskId} keyName={null} isOwn={({ hook_id }) => hook_id === id} mayWrite={mayWrite} />
      </>
    ),
    below: (row, removed) => (
      <StartSheetEnd
        by={`hook:${row.id}`}
        actsFor={row.acts_for}
        mayWrite={mayWrite}
        takeOver={() => calls.update(row.id, {}, {})}
        removal={{ name: row.name, detail: t.removal, run: () => calls.remove(row.id) }}
        removed={removed}
      >
        <Rotate taskId={taskId} hook={row} told={told} />
      </StartSheetEnd>
    ),
  };
}

function Made({ url, close }: { url: string | null; close(): void }) {
  if (url === null) return <Banner tone="need">{t.addressLost}</Banner>;
  return <Secret key={url} title={t.address} value={url} close={close} />;
}

function Rotate({ taskId, hook, told }: { taskId: number; hook: Hook; told(answer: Answer): void }) {
  const reload = useReload();
  const [isAsking, setAsking] = useState(false);
  const rotate = useMutation({
    mutationFn: () => hooks(taskId).rotate(hook.id),
    onSuccess: (answer) => {
      setAsking(false);
      told(answer);
      void reload('ai_tasks');
    },
  });
  return (
    <>
      <Button
        onClick={() => {
          rotate.reset();
          setAsking(true);
        }}
      >
        {t.rotate}
      </Button>
      {isAsking ? (
        <Confirm
          title={t.rotateTitle(hook.name)}
          act={t.rotateAct}
          isBusy={rotate.isPending}
          error={rotate.error}
          onAct={() => rotate.mutate()}
          close={() => setAsking(false)}
        >
          <p>{t.rotateDetail}</p>
        </Confirm>
      ) : null}
    </>
  );
}
