// Before our styles, which override those of the theme.
import DefaultTheme from 'vitepress/theme-without-fonts';
import '../../../console/ui/tokens.css';
import './fonts.css';
import './theme.css';
import './search.css';
import './code.css';
import type { Theme } from 'vitepress';
import { Layout } from './layout.ts';

export default { extends: DefaultTheme, Layout } satisfies Theme;
