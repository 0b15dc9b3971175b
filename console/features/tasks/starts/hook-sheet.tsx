import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Hook } from '../../../../contract/hooks.ts';
import { startValues } from '../../../parts/parameter-form.tsx';
import { changedOnly, useRecordForm } from '../../../parts/record-form.ts';
import { Remove } from '../../../parts/remove.tsx';
import { useShop } from '../../../parts/shop.ts';
import { Unsaved } from '../../../parts/unsaved.tsx';
import { hooksText as t } from '../../../texts/hooks.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Secret } from '../../../ui/secret.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { Banner } from '../../../ui/tabs.tsx';
import { ActsFor } from '../acts-for.tsx';
import { declarationsOf } from '../declarations.ts';
import { StartedRuns } from '../parts.tsx';
import { createHook, deleteHook, hookRecord, readHook, rotateHook, type TaskDetail, updateHook } from '../queries.ts';
import { HookForm } from './hook-form.tsx';
import { bodyOf, type HookValues, valuesOf } from './hook-values.ts';

/** An address that was just made; nobody can see it again. null: the answer that had it did not arrive. */
export type Address = { hookId: number; url: string | null };

type NewProps = { detail: TaskDetail; close(): void; made(id: number, address: Address): void };

export function NewHook({ detail, close, made }: NewProps) {
  const queries = useQueryClient();
  const addressOf = useAddress();
  const declarations = detail.current_version ? declarationsOf(detail.current_version) : [];
  const [start] = useState<HookValues>(() => ({
    ...{ name: '', enabled: true, parameter: declarations.find(({ kind }) => kind === 'json')?.name ?? null },
    ...{ parameters: startValues(declarations), verify: null, idempotency_header: '', wait: false, rate_per_minute: 60 },
    ...{ repeats: 'once', raw_body: false },
  }));
  const form = useRecordForm({
    values: start,
    send: (values, options) => createHook(detail.task.id, bodyOf(values), options),
    onSaved: (hook) => {
      void queries.invalidateQueries({ queryKey: ['ai_tasks.list_hooks'] });
      made(hook.id, addressOf(hook));
    },
  });
  return (
    <Sheet title={t.create} close={close}>
      <HookForm detail={detail} form={form} label={t.create} isNew />
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
    </Sheet>
  );
}

/** A repeated request is answered without the path, which is shown once. */
function useAddress(): (hook: { id: number; url_path: string | null }) => Address {
  const { public_url } = useShop();
  return ({ id, url_path }) => ({ hookId: id, url: url_path === null ? null : `${public_url ?? location.origin}${url_path}` });
}

type SheetProps = {
  detail: TaskDetail;
  hookId: number;
  mayWrite: boolean;
  address: Address | null;
  tell(address: Address | null): void;
  close(): void;
};

export function HookSheet(props: SheetProps) {
  const { detail, hookId, address, tell, close } = props;
  const record = useQuery(hookRecord(detail.task.id, hookId));
  return (
    <Sheet title={record.data?.value.name ?? ''} close={close}>
      {address?.hookId === hookId ? <Made url={address.url} close={() => tell(null)} /> : null}
      <Loaded query={record}>{({ value, etag }) => <Edit {...props} hook={value} etag={etag} />}</Loaded>
    </Sheet>
  );
}

function Made({ url, close }: { url: string | null; close(): void }) {
  if (url === null) return <Banner tone="need">{t.addressLost}</Banner>;
  return <Secret key={url} title={t.address} value={url} close={close} />;
}

function Edit({ detail, hook, etag, mayWrite, tell, close }: SheetProps & { hook: Hook; etag: string | undefined }) {
  const queries = useQueryClient();
  const taskId = detail.task.id;
  const form = useRecordForm({
    values: valuesOf(hook),
    etag,
    // What the version does not take any more is refused, so a hook that fails can be switched off only if that alone is sent.
    send: (values, options, base) => updateHook(taskId, hook.id, changedOnly(bodyOf(values), bodyOf(base)), options),
    reread: async () => {
      const { value, etag: tag } = await readHook(taskId, hook.id);
      return { value: valuesOf(value), etag: tag };
    },
    async onSaved() {
      void queries.invalidateQueries({ queryKey: ['ai_tasks.list_hooks'] });
      // The hook as it was saved then fills the form, which empties the field of the secret.
      await queries.invalidateQueries({ queryKey: ['ai_tasks.get_hook'] });
    },
  });
  return (
    <>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
      {hook.last_error === null ? null : (
        <Banner tone="fail">
          <strong>{t.lastError}</strong> {hook.last_error}
        </Banner>
      )}
      <HookForm detail={detail} form={form} label={hook.name} isReadOnly={!mayWrite} />
      <StartedRuns by={`hook:${hook.id}`} />
      <ActsFor adminId={hook.acts_for} mayWrite={mayWrite} takeOver={() => updateHook(taskId, hook.id, {}, {})} />
      {mayWrite ? (
        <div className="acts">
          <Rotate taskId={taskId} hook={hook} tell={tell} />
          <Remove
            name={hook.name}
            run={() => deleteHook(taskId, hook.id)}
            onDone={() => {
              close();
              void queries.invalidateQueries({ queryKey: ['ai_tasks.list_hooks'] });
            }}
          >
            <p>{t.removal}</p>
          </Remove>
        </div>
      ) : null}
    </>
  );
}

function Rotate({ taskId, hook, tell }: { taskId: number; hook: Hook; tell(address: Address | null): void }) {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const addressOf = useAddress();
  const rotate = useMutation({
    mutationFn: () => rotateHook(taskId, hook.id),
    onSuccess: (answer) => {
      setAsking(false);
      tell(addressOf(answer));
      void queries.invalidateQueries({ queryKey: ['ai_tasks.get_hook'] });
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
