import { MenuGroup, MenuGroupLabel, MenuItemRadio, MenuSeparator } from '@ariakit/react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../api/client.ts';
import { keep, type Language, language, languageNames, languages } from '../language/language.ts';
import { useMe } from '../parts/shop.ts';
import { text } from '../texts/app.ts';
import { Problem } from '../ui/problem.tsx';

/** Who signs in sees the language that they chose on any device. What they choose elsewhere later waits for the next page. */
export function useOwnLanguage(): void {
  const chosen = useMe().console.language;
  // Only once: a reload while somebody works would be a surprise.
  const isDone = useRef(false);
  useEffect(() => {
    if (!isDone.current && keep(chosen) !== language) location.reload();
    isDone.current = true;
  }, [chosen]);
}

/** The languages of the console, in the menu of the account. */
export function LanguageItems() {
  const { console } = useMe();
  const choose = useMutation({
    mutationFn: (chosen: Language | null) => api.me.update({ console: { language: chosen } }),
    onSuccess: (me) => {
      keep(me.console.language);
      location.reload();
    },
  });
  return (
    <>
      <MenuGroup>
        <MenuGroupLabel className="menu-label">{text.app.language}</MenuGroupLabel>
        {[...languages, null].map((one) => (
          <MenuItemRadio
            key={one}
            className="menu-item"
            name="language"
            value={one ?? ''}
            hideOnClick={false}
            disabled={choose.isPending}
            lang={one ?? undefined}
            onClick={() => choose.mutate(one)}
          >
            {one === null ? text.app.languageOfBrowser : languageNames[one]}
            {console.language === one ? <span aria-hidden="true">✓</span> : null}
          </MenuItemRadio>
        ))}
      </MenuGroup>
      {choose.error ? <Problem error={choose.error} /> : null}
      <MenuSeparator className="menu-line" />
    </>
  );
}
