import { useRef, useState } from 'react';
import { text } from '../texts/app.ts';
import { Button } from './button.tsx';
import { Banner } from './tabs.tsx';

/** Something that is shown this once: it can be copied, and is gone when it is closed. */
export function Secret({ title, value, close }: { title: string; value: string; close(): void }) {
  const shown = useRef<HTMLElement>(null);
  const [copied, setCopied] = useState<'copied' | 'marked' | null>(null);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value);
      setCopied('copied');
    } catch {
      // Without TLS there is no clipboard, and a browser may refuse it.
      if (shown.current) getSelection()?.selectAllChildren(shown.current);
      setCopied('marked');
    }
  }
  return (
    <Banner
      tone="need"
      act={
        <>
          <Button onClick={() => void copy()}>{copied === 'copied' ? text.secret.copied : text.secret.copy}</Button>
          <Button kind="quiet" onClick={close}>
            {text.app.close}
          </Button>
        </>
      }
    >
      <strong>{title}</strong>
      <code ref={shown}>{value}</code>
      <span role="status">{copied === 'marked' ? text.secret.marked : text.secret.once}</span>
    </Banner>
  );
}
