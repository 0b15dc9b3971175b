import { useNavigate } from '@tanstack/react-router';
import { useReload } from '../../parts/reload.ts';
import { Remove } from '../../parts/remove.tsx';
import { pagesText as t } from '../../texts/pages.ts';
import { calls } from './queries.ts';

export function RemovePage({ id, title }: { id: number; title: string }) {
  const navigate = useNavigate();
  const reload = useReload();
  return (
    <Remove
      name={title}
      act={t.remove}
      run={() => calls.delete(id)}
      onDone={async () => {
        await navigate({ to: '/pages' });
        void reload('pages', 'themes');
      }}
    >
      <p>{t.removal}</p>
    </Remove>
  );
}
