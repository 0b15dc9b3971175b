import { lazy, Suspense, useState } from 'react';
import { countText } from '../../language/formats.ts';
import { pagesText as t } from '../../texts/pages.ts';
import { TextArea } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/page.tsx';
import { Banner } from '../../ui/tabs.tsx';
import { ViewTab } from '../../ui/toolbar.tsx';
import type { VisualProps } from '../../visual/visual-editor.tsx';

const VisualEditor = lazy(() => import('../../visual/visual-editor.tsx'));

type Props = {
  value: string;
  pointer: string;
  error: string | undefined;
  onValue(value: string): void;
  isReadOnly: boolean;
  isSource: boolean;
  showSource(isSource: boolean): void;
} & Pick<VisualProps, 'begins' | 'begun'>;

/** What the page says: as a text, or as the source that the text is of. */
export function Content({ value, pointer, error, onValue, isReadOnly, isSource, showSource, begins, begun }: Props) {
  const [unreadable, setUnreadable] = useState<{ line: number; why: string } | null>(null);
  const isShownAsSource = isSource || unreadable !== null;
  return (
    <div className="field">
      <fieldset className="content-tabs" aria-label={t.fields.content}>
        <ViewTab
          isOn={!isShownAsSource}
          onClick={() => {
            setUnreadable(null);
            showSource(false);
          }}
        >
          {t.visual}
        </ViewTab>
        <ViewTab isOn={isShownAsSource} onClick={() => showSource(true)}>
          {t.source}
        </ViewTab>
      </fieldset>
      {unreadable === null ? null : (
        <Banner tone="plain">
          {t.onlySource(countText(unreadable.line))} {unreadable.why}
        </Banner>
      )}
      {isShownAsSource ? (
        <TextArea
          label={t.fields.content}
          hint={t.contentHint}
          value={value}
          pointer={pointer}
          error={error}
          onValue={onValue}
          className="input source-input"
          rows={18}
          spellCheck={false}
        />
      ) : (
        <>
          <Suspense fallback={<Skeleton rows={12} />}>
            <VisualEditor
              label={t.fields.content}
              pointer={pointer}
              source={value}
              onSource={onValue}
              isReadOnly={isReadOnly}
              begins={begins}
              begun={begun}
              onUnreadable={setUnreadable}
            />
          </Suspense>
          {error === undefined ? null : <p className="field-error">{error}</p>}
        </>
      )}
    </div>
  );
}
