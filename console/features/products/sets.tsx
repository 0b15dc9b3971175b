import { useMutation, useQueries } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Product } from '../../../contract/products.ts';
import { bytesText } from '../../language/formats.ts';
import { IMAGE_TYPES, imagesIn } from '../../parts/image-files.ts';
import { fileRecord, foundFiles, foundImages, image, uploadImage } from '../../parts/record-choices.ts';
import { RecordSet } from '../../parts/record-set.tsx';
import { useReload } from '../../parts/reload.ts';
import { useMay } from '../../parts/shop.ts';
import { productsText as t } from '../../texts/products.ts';
import { FilesField } from '../../ui/field.tsx';
import { isTyping } from '../../ui/keys.ts';
import { Section } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { changeIds } from './queries.ts';
import './page.css';

type Props = { product: Product; mayChange: boolean };

/** The images of a product, in the order in which the shop shows them. */
export function Images({ product: { id, media_ids }, mayChange }: Props) {
  const may = useMay();
  const reload = useReload();
  const mayRead = may('admin_api.media.read');
  const images = useQueries({ queries: mayRead ? media_ids.map((one) => image(one)) : [] });
  async function change(edit: (ids: readonly number[]) => number[]): Promise<void> {
    await changeIds(id, 'media_ids', edit);
    await reload('products');
  }
  const mayAdd = mayChange && may('admin_api.media.write');
  const adding = useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) {
        const added = await uploadImage(file);
        await change((ids) => [...ids, added.id]);
      }
    },
  });
  /** Whether there were images, which are then added. */
  const take = (data: DataTransfer | null): boolean => {
    const files = imagesIn(data);
    if (!mayAdd || files.length === 0) return false;
    adding.mutate(files);
    return true;
  };
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (!isTyping(event.target) && take(event.clipboardData)) event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent): void => onPaste(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, []);
  return (
    <Section title={t.images.title}>
      {adding.error ? <Problem error={adding.error} /> : null}
      <section
        aria-label={t.images.title}
        className="drop-place"
        onDragOver={(event) => mayAdd && event.preventDefault()}
        onDrop={(event) => take(event.dataTransfer) && event.preventDefault()}
      >
        <RecordSet
          label={t.images.find}
          none={t.images.none}
          search={foundImages}
          mayChange={mayChange && mayRead}
          isOrdered
          change={change}
          items={media_ids.map((mediaId, index) => {
            const { url, alt = '', filename = String(mediaId) } = images[index]?.data ?? {};
            return {
              id: mediaId,
              name: filename,
              view: (
                <span className="thumbed">
                  {url ? <img className="thumb" src={url} alt={alt} /> : null}
                  <span>{filename}</span>
                </span>
              ),
            };
          })}
        />
        {mayAdd ? (
          <FilesField
            label={t.images.create}
            hint={adding.isPending ? t.images.adding : t.images.drop}
            accept={IMAGE_TYPES}
            onFiles={(files) => adding.mutate(files)}
          />
        ) : null}
      </section>
    </Section>
  );
}

/** The files that a buyer of a digital product downloads. */
export function Files({ product: { id, file_ids }, mayChange }: Props) {
  const may = useMay();
  const reload = useReload();
  const mayRead = may('admin_api.files.read');
  const files = useQueries({ queries: mayRead ? file_ids.map((one) => fileRecord(one)) : [] });
  return (
    <Section title={t.files.title}>
      <RecordSet
        label={t.files.find}
        none={t.files.none}
        search={foundFiles}
        mayChange={mayChange && mayRead}
        isOrdered
        change={async (edit) => {
          await changeIds(id, 'file_ids', edit);
          await reload('products');
        }}
        items={file_ids.map((fileId, index) => {
          const { original_filename: name = String(fileId), file_size } = files[index]?.data ?? {};
          return {
            id: fileId,
            name,
            view: (
              <>
                {name} <span className="muted">{file_size === undefined ? '' : bytesText(file_size)}</span>
              </>
            ),
          };
        })}
      />
    </Section>
  );
}
