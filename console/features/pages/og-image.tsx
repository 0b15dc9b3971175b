import { useQuery } from '@tanstack/react-query';
import { foundImages, image } from '../../parts/record-choices.ts';
import { useMay } from '../../parts/shop.ts';
import { pagesText as t } from '../../texts/pages.ts';
import { Button } from '../../ui/button.tsx';
import { Picker } from '../../ui/picker.tsx';

/** The image that shows the page where its address is shared. */
export function OgImage({ id, set, isReadOnly }: { id: number | null; set(id: number | null): void; isReadOnly: boolean }) {
  const mayRead = useMay()('admin_api.media.read');
  const chosen = useQuery({ ...image(id ?? 0), enabled: mayRead && id !== null });
  return (
    <>
      {isReadOnly || !mayRead ? null : (
        <Picker label={t.fields.og_image_media_id} pointer="/og_image_media_id" search={foundImages} onPick={(choice) => set(choice.id)} />
      )}
      {id === null ? null : (
        <p className="thumbed">
          {chosen.data ? <img className="thumb" src={chosen.data.url} alt={chosen.data.alt} /> : null}
          <span>{chosen.data?.filename ?? id}</span>
          {isReadOnly ? null : (
            <Button kind="quiet" onClick={() => set(null)}>
              {t.noImage}
            </Button>
          )}
        </p>
      )}
    </>
  );
}
