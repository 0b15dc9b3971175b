import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { PageDraft } from '../../../contract/pages.ts';
import type { SourceWarning } from '../../../contract/source-warning.ts';
import { ifMatch, type Tagged } from '../../api/client.ts';
import { changedOnly, useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { Remove } from '../../parts/remove.tsx';
import { pagesText as t } from '../../texts/pages.ts';
import { Button } from '../../ui/button.tsx';
import { calls, readPage } from './queries.ts';

function valuesOf({ title, content, meta_title, meta_description, og_image_media_id }: PageDraft) {
  return { title, content, meta_title, meta_description, og_image_media_id };
}

type Saved = { warnings: readonly SourceWarning[]; draft_updated_at?: string | null };

/**
 * The form of what the page says. Of a page that the shop shows it saves a draft, which is published by an act of its own; a hidden page is
 * saved as it is.
 */
export function usePageText({ value: page, etag }: Tagged<PageDraft>) {
  const { id } = page;
  const reload = useReload();
  const [warnings, setWarnings] = useState<readonly SourceWarning[]>([]);
  const isPublishedNext = useRef(false);
  const hasDraft = page.draft_updated_at !== null;
  const isDrafted = page.published || hasDraft;
  const form = useRecordForm({
    values: valuesOf(page),
    etag,
    send: (values, options, base): Promise<Saved> =>
      isDrafted
        ? calls.save_draft(id, changedOnly(values, base), options)
        : calls.update(id, { ...changedOnly(values, base), ...(isPublishedNext.current ? { published: true } : {}) }, options),
    reread: async () => {
      const { value, etag: newer } = await readPage(id);
      return { value: valuesOf(value), etag: newer };
    },
    onSaved: async (saved) => {
      setWarnings(saved.warnings);
      if (isPublishedNext.current && saved.draft_updated_at) await calls.publish_draft(id);
      await reload('pages', 'themes');
    },
  });
  const publishing = useMutation({
    mutationFn: async () => {
      if (!form.isEdited) return isDrafted ? calls.publish_draft(id, ifMatch(etag)) : calls.update(id, { published: true }, ifMatch(etag));
      isPublishedNext.current = true;
      try {
        return await form.save();
      } finally {
        isPublishedNext.current = false;
      }
    },
    onSettled: () => reload('pages', 'themes'),
  });
  return {
    form,
    warnings,
    isDrafted,
    hasDraft,
    publish: () => publishing.mutate(),
    failure: publishing.error,
    isPublishing: publishing.isPending,
  };
}

type Props = { page: PageDraft; isDrafted: boolean; canPublish: boolean; isBusy: boolean; publish(): void };

/** Shows the page in the shop, or what was changed of one that it shows. */
export function DraftActs({ page, isDrafted, canPublish, isBusy, publish }: Props) {
  const reload = useReload();
  return (
    <>
      {page.draft_updated_at === null ? null : (
        <Remove
          name={page.title}
          title={t.draft.discardTitle(page.title)}
          act={t.draft.discard}
          run={() => calls.discard_draft(page.id)}
          onDone={() => reload('pages', 'themes')}
        >
          <p>{t.draft.discarded}</p>
        </Remove>
      )}
      <Button kind="first" disabled={!canPublish || isBusy} onClick={publish}>
        {isDrafted ? t.draft.publish : t.publish}
      </Button>
    </>
  );
}
