import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { uploadImage } from '../parts/record-choices.ts';
import { useMay } from '../parts/shop.ts';
import { visualText as t } from '../texts/visual.ts';
import type { Shown } from './commands.ts';
import { ImageDialog, LinkDialog } from './dialogs.tsx';
import { Unreadable } from './markup.ts';
import { type Image, mountVisual, type Visual } from './mount.ts';
import { type Read, readSource } from './read-source.ts';
import { Toolbar } from './toolbar.tsx';
import './visual-editor.css';

export type VisualProps = {
  label: string;
  pointer: string;
  source: string;
  onSource(source: string): void;
  isReadOnly: boolean;
  /** It takes the cursor, as in a page that was just made. `begun`: it has. */
  begins: boolean;
  begun(): void;
  /** The source cannot be shown as a text without losing something. */
  onUnreadable(why: { line: number; why: string }): void;
};

/** The source of a page as a text. It is loaded when it is first shown. */
export default function VisualEditor({ label, pointer, source, onSource, isReadOnly, begins, begun, onUnreadable }: VisualProps) {
  const host = useRef<HTMLDivElement>(null);
  const visual = useRef<Visual | null>(null);
  /** The source as the editor has it. */
  const own = useRef<string | null>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const [dialog, setDialog] = useState<'link' | 'image' | null>(null);
  const [note, setNote] = useState('');
  const mayUpload = useMay()('admin_api.media.write');
  const tell = useEffectEvent((written: string) => {
    own.current = written;
    onSource(written);
  });
  const refuse = useEffectEvent(onUnreadable);
  const upload = useEffectEvent(async (files: readonly File[], insert: (image: Image) => void) => {
    if (!mayUpload) return;
    for (const file of files) {
      setNote(t.uploading(file.name));
      try {
        const { url, alt } = await uploadImage(file);
        insert({ src: url, alt });
        setNote('');
      } catch (error) {
        setNote(t.notUploaded(file.name, error instanceof ApiError ? error.detail : String(error)));
      }
    }
  });
  const read = useEffectEvent((text: string): Read | null => {
    try {
      return readSource(text);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const why = t.unreadable[error.reason];
      refuse({ line: text.slice(0, error.at).split('\n').length, why: typeof why === 'string' ? why : why(error.what) });
      return null;
    }
  });
  const mount = useEffectEvent((element: HTMLElement) => {
    const first = read(source);
    if (first === null) return null;
    own.current = source;
    return mountVisual({
      host: element,
      read: first,
      attributes: { class: 'visual-text', role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, 'data-pointer': pointer },
      isReadOnly,
      onSource: (written) => tell(written),
      onShown: setShown,
      onFiles: (files, insert) => void upload(files, insert),
      onLink: () => setDialog('link'),
    });
  });
  const begin = useEffectEvent(() => {
    if (!begins) return;
    visual.current?.writeOn();
    begun();
  });
  useEffect(() => {
    visual.current = host.current && mount(host.current);
    begin();
    return () => {
      visual.current?.destroy();
      visual.current = null;
    };
  }, []);
  // What comes from elsewhere, such as a version of somebody else, is shown from the start.
  useEffect(() => {
    if (visual.current === null || source === own.current) return;
    const next = read(source);
    own.current = source;
    if (next) visual.current.show(next);
  }, [source]);
  const close = (): void => {
    setDialog(null);
    visual.current?.focus();
  };
  return (
    <>
      <div className="visual">
        {shown === null || isReadOnly ? null : (
          <Toolbar
            shown={shown}
            act={(act) => visual.current?.act(act)}
            setBlock={(kind) => visual.current?.setBlock(kind)}
            onLink={() => setDialog('link')}
            onImage={() => setDialog('image')}
            note={note}
          />
        )}
        <div ref={host} />
      </div>
      <p className="muted">{t.hint}</p>
      {dialog === 'link' ? (
        <LinkDialog
          href={shown?.link ?? null}
          set={(href) => {
            visual.current?.setLink(href);
            close();
          }}
          remove={() => {
            visual.current?.removeLink();
            close();
          }}
          close={close}
        />
      ) : null}
      {dialog === 'image' ? (
        <ImageDialog
          insert={(image) => {
            visual.current?.insertImage(image);
            close();
          }}
          upload={(files) => {
            void upload(files, (image) => visual.current?.insertImage(image));
            close();
          }}
          close={close}
        />
      ) : null}
    </>
  );
}
