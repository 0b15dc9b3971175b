import { loadTranslations } from './language/translated.ts';

// Pages read texts while they load, so the texts of the language are there first.
await loadTranslations();
await import('./start.tsx');
