import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { foundImages, foundPages, image as imageRecord } from '../parts/record-choices.ts';
import { useMay } from '../parts/shop.ts';
import { visualText as t } from '../texts/visual.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FileField, TextField } from '../ui/field.tsx';
import { keysOf } from '../ui/keys.ts';
import { Picker } from '../ui/picker.tsx';
import type { Image } from './mount.ts';

/** A dialog over a form is no part of it: its keys and its submit are its own. */
function Own({ onSubmit, children }: { onSubmit(): void; children: ReactNode }) {
  return (
    <form
      className="form"
      noValidate
      onKeyDown={(event) => {
        if (keysOf(event.nativeEvent) !== 'mod+s') return;
        event.preventDefault();
        event.stopPropagation();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

type LinkProps = { href: string | null; set(href: string): void; remove(): void; close(): void };

/** Where a link leads: a page of the shop, or any address. */
export function LinkDialog({ href, set, remove, close }: LinkProps) {
  const [typed, setTyped] = useState(href ?? '');
  const mayReadPages = useMay()('admin_api.pages.read');
  return (
    <Dialog title={t.acts.link} close={close}>
      <Own onSubmit={() => typed.trim() !== '' && set(typed.trim())}>
        <TextField label={t.address} hint={t.addressHint} value={typed} onValue={setTyped} autoFocus autoComplete="off" />
        {mayReadPages ? <Picker label={t.ownPage} search={foundPages} onPick={({ note = '' }) => setTyped(note)} /> : null}
        <div className="form-acts">
          <Button kind="first" type="submit" disabled={typed.trim() === ''}>
            {t.setLink}
          </Button>
          {href === null ? null : <Button onClick={remove}>{t.removeLink}</Button>}
        </div>
      </Own>
    </Dialog>
  );
}

type ImageProps = { insert(image: Image): void; upload(files: readonly File[]): void; close(): void };

/** An image of the library, or a new one for it. */
export function ImageDialog({ insert, upload, close }: ImageProps) {
  const may = useMay();
  const queries = useQueryClient();
  const [alt, setAlt] = useState('');
  const pick = async (id: number): Promise<void> => {
    const chosen = await queries.fetchQuery(imageRecord(id));
    insert({ src: chosen.url, alt: alt === '' ? chosen.alt : alt });
  };
  return (
    <Dialog title={t.acts.image} close={close}>
      <Own onSubmit={() => undefined}>
        <TextField label={t.alt} hint={t.altHint} value={alt} onValue={setAlt} autoComplete="off" />
        {may('admin_api.media.read') ? <Picker label={t.fromLibrary} search={foundImages} onPick={({ id }) => void pick(id)} /> : null}
        {may('admin_api.media.write') ? (
          <FileField label={t.newImage} hint={t.newImageHint} accept="image/*" onFile={(file) => file && upload([file])} />
        ) : null}
      </Own>
    </Dialog>
  );
}
