import { useQuery } from '@tanstack/react-query';
import { momentText } from '../../../language/formats.ts';
import { useMe, useShop } from '../../../parts/shop.ts';
import { editorText } from '../../../texts/editor.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Banner } from '../../../ui/tabs.tsx';
import { readDraft } from './drafts.ts';

const t = editorText.draft;

/** The way back to the draft of a task that there is not yet, where this browser keeps one. */
export function KeptDraft() {
  const { id: admin } = useMe();
  const { timezone } = useShop();
  const { data: draft } = useQuery({
    queryKey: ['draft.kept', admin],
    queryFn: () => readDraft(admin, 0).catch(() => null),
    staleTime: 0,
    gcTime: 0,
  });
  if (!draft) return null;
  return (
    <Banner tone="plain" act={<ButtonLink to="/tasks/new/empty">{t.goOn}</ButtonLink>}>
      {t.ofNewTask(momentText(new Date(draft.at).toISOString(), timezone, 'minute'))}
    </Banner>
  );
}
