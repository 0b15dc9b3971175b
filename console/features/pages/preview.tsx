import type { UseQueryResult } from '@tanstack/react-query';
import type { Preview } from '../../../contract/pages.ts';
import { PreviewSide } from '../../parts/preview.tsx';
import type { Patch } from '../../parts/search.ts';
import { pagesText as t } from '../../texts/pages.ts';
import { TextField } from '../../ui/field.tsx';
import { ViewTab } from '../../ui/toolbar.tsx';
import { type PageSearch, widths } from './routes.ts';

const PIXELS = { phone: 390, tablet: 768, desk: 1280 };

type Props = { preview: UseQueryResult<Preview>; search: PageSearch; patch: Patch<PageSearch> };

/** The page as it would be with what is typed, at the width of a phone, a tablet or a desk. */
export function PagePreview({ preview, search: { width, alone, locale }, patch }: Props) {
  return (
    <PreviewSide preview={preview} title={t.preview} width={width === undefined ? undefined : PIXELS[width]}>
      <div className="preview-widths">
        <fieldset className="content-tabs" aria-label={t.width}>
          {widths.map((one) => (
            <ViewTab key={one} isOn={width === one} onClick={() => patch({ width: width === one ? undefined : one })}>
              {t.widths[one]}
            </ViewTab>
          ))}
          <ViewTab isOn={alone === true} onClick={() => patch({ alone: alone ? undefined : true })}>
            {t.alone}
          </ViewTab>
        </fieldset>
        <TextField
          label={t.locale}
          hint={t.localeHint}
          value={locale ?? ''}
          onValue={(value) => patch({ locale: value === '' ? undefined : value })}
        />
      </div>
    </PreviewSide>
  );
}
