import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { SourceWarning } from '../../../../contract/source-warning.ts';
import type { Editor } from '../../../editor/mount.ts';
import type { Types } from '../../../editor/types-client.ts';
import { editorText as t } from '../../../texts/editor.ts';
import { permissionText } from '../../../texts/permissions.ts';
import { Skeleton } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import type { DraftValues } from './drafts.ts';

type Props = {
  /** The editor itself, for acts of the page. */
  handle: RefObject<Editor | null>;
  types: Types;
  start: string;
  declared: Pick<DraftValues, 'permissions' | 'parameters'>;
  /** Whoever opened the page wants to write at once. */
  takesFocus: boolean;
  warnings: readonly SourceWarning[];
  /** The source that this one is compared with, while a newer version is brought in. */
  original: string | null;
  onSource(source: string): void;
  onDeclare(permission: string): void;
  onDryRun(): void;
  onSubmit(): void;
};

/** The editor, which is loaded when it is first shown. It keeps the text itself; the page hears of each change. */
export function SourceEditor({ handle, types, start, declared, takesFocus, warnings, original, ...on }: Props) {
  const { onSource, onDeclare, onDryRun, onSubmit } = on;
  const host = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'ready' | { error: unknown }>('loading');
  const tellSource = useEffectEvent(onSource);
  const declare = useEffectEvent(onDeclare);
  const dryRun = useEffectEvent(onDryRun);
  const submit = useEffectEvent(onSubmit);
  const first = useEffectEvent(() => ({ source: start, declared }));
  const isWanted = useEffectEvent(() => takesFocus && document.activeElement === document.body);
  useEffect(() => {
    let isGone = false;
    import('../../../editor/mount.ts').then(
      ({ mountEditor }) => {
        if (isGone || !host.current) return;
        handle.current = mountEditor({
          host: host.current,
          types,
          ...first(),
          texts: {
            label: t.source,
            needs: (permission) => t.needs(permissionText(permission)),
            add: t.add,
            fromServer: t.fromServer,
            keepMine: t.merge.keepMine,
            takeTheirs: t.merge.takeTheirs,
          },
          onSource: (source) => tellSource(source),
          onDeclare: (permission) => declare(permission),
          keys: { 'Mod-Enter': () => dryRun(), 'Mod-s': () => submit() },
        });
        if (isWanted()) handle.current.reveal(1);
        setState('ready');
      },
      (error: unknown) => setState({ error }),
    );
    return () => {
      isGone = true;
      handle.current?.destroy();
      handle.current = null;
    };
  }, [handle, types]);
  const { permissions, parameters } = declared;
  useEffect(() => {
    if (state === 'ready') handle.current?.setDeclared({ permissions, parameters });
  }, [state, handle, permissions, parameters]);
  useEffect(() => {
    if (state === 'ready') handle.current?.setWarnings(warnings);
  }, [state, handle, warnings]);
  useEffect(() => {
    if (state === 'ready') handle.current?.compareWith(original);
  }, [state, handle, original]);
  return (
    <div className="source-editor">
      <div ref={host} className="editor-host" />
      {state === 'loading' ? <Skeleton rows={12} /> : null}
      {typeof state === 'object' ? <Problem error={state.error} /> : null}
      <p className="muted editor-hint">{t.sourceHint}</p>
    </div>
  );
}
