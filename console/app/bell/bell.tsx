import { PopoverDisclosure, PopoverProvider } from '@ariakit/react';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { countText } from '../../language/formats.ts';
import { fetchAhead } from '../../parts/fetch-ahead.ts';
import { useNews } from '../../parts/news.ts';
import { text } from '../../texts/app.ts';
import { Icon } from '../../ui/icon.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';

const t = text.bell;
const MOST = 99;

const NewsPanel = lazyRouteComponent(() => import('./news-panel.tsx'), 'NewsPanel');
fetchAhead(NewsPanel);

/** How much the shop has told that is not read yet; what it was stands in a panel, and is read when it is seen there. */
export function Bell() {
  const [isOpen, setOpen] = useState(false);
  const unread = useNews().data?.unread_count ?? 0;
  useShortcuts({ b: { name: t.open, act: () => setOpen(true) } });
  const words = unread === 0 ? t.open : t.unread(unread);
  return (
    <PopoverProvider open={isOpen} setOpen={setOpen} placement="bottom-end">
      <PopoverDisclosure className="button quiet bell" aria-label={words} title={words} aria-keyshortcuts="b">
        <Icon name="bell" />
        {unread > 0 ? <span className="bell-count">{unread > MOST ? `${countText(MOST)}+` : countText(unread)}</span> : null}
      </PopoverDisclosure>
      {isOpen ? (
        <Suspense>
          <NewsPanel close={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </PopoverProvider>
  );
}
