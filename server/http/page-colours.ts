/**
 * The colours of pages that load nothing and run no script: those of the console (`console/ui/tokens.css`), light or dark as the browser
 * wishes. They stand on the root, because the window beyond the text has the root's scheme.
 */
export const PAGE_COLOURS = `:root{color-scheme:light dark;--ground:#f6f6f2;--surface:#ffffff;--line:#dcddd5;--ink-1:#1a1c19;--accent:#0a5c6b;--on-accent:#ffffff;background:var(--ground);color:var(--ink-1)}
@media(prefers-color-scheme:dark){:root{--ground:#111311;--surface:#181a18;--line:#2f332e;--ink-1:#e8eae4;--accent:#62c4d4;--on-accent:#07242a}}
a{color:var(--accent)}`;
