import { onContentUpdated } from 'vitepress';
import { offerOneTimeTokens } from './one-time-token.ts';

/** The address that the documents use: that of a shop which was started without options. */
const WRITTEN = 'http://127.0.0.1:8787';

/**
 * What a page does with its code and tables once it is shown. The text of a page never changes while it is open, so Vue does not undo what is done to
 * it here; each block is `div.language-…` with `button.copy` and `pre code`.
 */
export function useCodeBlocks(): void {
  onContentUpdated(() => {
    for (const code of document.querySelectorAll('.vp-doc code')) showOwnAddress(code, window.location.origin);
    offerOneTimeTokens(document.querySelectorAll('.vp-doc .language-sh:not(.makes-secret)'));
    // Keys scroll what has the focus.
    for (const table of document.querySelectorAll<HTMLElement>('.vp-doc .table'))
      table.tabIndex = table.scrollWidth > table.clientWidth ? 0 : -1;
  });
}

/** Code names the address where the reader's own shop is, and so does what is copied of it. */
function showOwnAddress(code: Element, origin: string): void {
  if (origin === WRITTEN) return;
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const { nodeValue } = text;
    if (nodeValue?.includes(WRITTEN)) text.nodeValue = nodeValue.replaceAll(WRITTEN, origin);
  }
}
