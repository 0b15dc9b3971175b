import {
  Menu,
  MenuButton,
  MenuGroup,
  MenuGroupLabel,
  MenuItem,
  MenuItemCheckbox,
  MenuItemRadio,
  MenuProvider,
  MenuSeparator,
} from '@ariakit/react';
import { signOut } from '../api/sign-in.ts';
import { text } from '../texts/app.ts';
import '../ui/menu.css';
import { useMe } from '../parts/shop.ts';
import { setLetters, useLetters } from '../ui/shortcuts.ts';
import { LanguageItems } from './language-choice.tsx';
import { setTheme, type Theme, useTheme } from './theme.ts';

const t = text.app;
const themes: readonly Theme[] = ['light', 'dark', 'system'];

export function AccountMenu() {
  const me = useMe();
  const theme = useTheme();
  const letters = useLetters();
  return (
    <MenuProvider values={{ theme, letters, language: me.console.language ?? '' }}>
      <MenuButton className="button quiet initials" aria-label={`${initialsOf(me.name)}, ${t.account}: ${me.name}`}>
        {initialsOf(me.name)}
      </MenuButton>
      <Menu className="menu" gutter={4} portal>
        <p className="menu-head">
          <strong>{me.name}</strong>
          <span className="muted">{me.email}</span>
        </p>
        <MenuSeparator className="menu-line" />
        <MenuGroup>
          <MenuGroupLabel className="menu-label">{t.theme}</MenuGroupLabel>
          {themes.map((one) => (
            <MenuItemRadio key={one} className="menu-item" name="theme" value={one} onClick={() => setTheme(one)}>
              {t.themes[one]}
              {theme === one ? <span aria-hidden="true">✓</span> : null}
            </MenuItemRadio>
          ))}
        </MenuGroup>
        <MenuSeparator className="menu-line" />
        <LanguageItems />
        <MenuItemCheckbox className="menu-item" name="letters" onClick={() => setLetters(!letters)}>
          {t.letters}
          {letters ? <span aria-hidden="true">✓</span> : null}
        </MenuItemCheckbox>
        <MenuSeparator className="menu-line" />
        <MenuItem className="menu-item" onClick={signOut}>
          {t.signOut}
        </MenuItem>
      </Menu>
    </MenuProvider>
  );
}

function initialsOf(name: string): string {
  return name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase() ?? '')
    .join('');
}
