import type { Translations } from './translations.ts';

/** The texts in another language; null: English. */
export const translations: Translations | null = null;

/** The language of the page. */
export const language = 'en';
