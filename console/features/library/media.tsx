import { useState } from 'react';
import type { Media } from '../../../contract/media.ts';
import { bytesText } from '../../language/formats.ts';
import { blanks } from '../../parts/blanks.ts';
import { IMAGE_TYPES } from '../../parts/image-files.ts';
import { Upload } from '../../parts/upload.tsx';
import { Moment } from '../../parts/values.tsx';
import { libraryText } from '../../texts/library.ts';
import { TextField } from '../../ui/field.tsx';
import { Facts } from '../../ui/page.tsx';
import { libraryPage } from './library-page.tsx';
import { calls } from './queries.ts';

const t = libraryText.media;

function NewImage({ done }: { done(): void }) {
  const [alt, setAlt] = useState('');
  return (
    <Upload
      label={t.file}
      hint={t.formats}
      accept={IMAGE_TYPES}
      send={(file, options) => calls.media.create({ file, alt }, options)}
      onDone={done}
    >
      <TextField label={t.fields.alt} hint={t.altHint} value={alt} onValue={setAlt} />
    </Upload>
  );
}

function Picture({ row: { url, alt, width, height, content_type, size_bytes, created_at } }: { row: Media }) {
  return (
    <>
      <a href={url} target="_blank" rel="noreferrer">
        <img className="picture" src={url} alt={alt || t.noAlt} />
      </a>
      <Facts
        facts={[
          [t.size, `${width} × ${height}, ${bytesText(size_bytes)}`],
          [t.type, content_type],
          [libraryText.uploaded, <Moment key="at" at={created_at} />],
        ]}
      />
    </>
  );
}

export const MediaPage = libraryPage<Media, { alt: string }>({
  path: '/library/media',
  resource: 'media',
  blank: blanks.media,
  texts: t,
  nameOf: ({ filename }) => filename,
  columns: [
    {
      name: 'filename',
      head: t.image,
      cell: ({ url, filename }) => (
        <span className="thumbed">
          <img className="thumb" src={url} alt="" loading="lazy" />
          <span>{filename}</span>
        </span>
      ),
    },
    { name: 'alt', head: t.fields.alt, cell: ({ alt }) => <span className="muted">{alt}</span>, isMinor: true },
    { name: 'size', head: t.size, cell: ({ size_bytes }) => bytesText(size_bytes), isNumber: true },
    { name: 'at', head: libraryText.uploaded, cell: ({ created_at }) => <Moment at={created_at} kind="day" />, isMinor: true },
  ],
  calls: calls.media,
  update: calls.media.update,
  valuesOf: ({ alt }) => ({ alt }),
  creation: { View: NewImage },
  Above: Picture,
  fields: [{ kind: 'area', name: 'alt', label: t.fields.alt, hint: t.altHint }],
});
