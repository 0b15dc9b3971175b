import { useState } from 'react';
import { text } from '../texts/app.ts';
import { Button } from './button.tsx';
import { Banner } from './tabs.tsx';

/** Something that is shown this once: it can be copied, and is gone when it is closed. */
export function Secret({ title, value, close }: { title: string; value: string; close(): void }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Banner
      tone="need"
      act={
        <>
          <Button onClick={() => void navigator.clipboard.writeText(value).then(() => setCopied(true))}>
            {isCopied ? text.secret.copied : text.secret.copy}
          </Button>
          <Button kind="quiet" onClick={close}>
            {text.app.close}
          </Button>
        </>
      }
    >
      <strong>{title}</strong>
      <code>{value}</code>
      <span>{text.secret.once}</span>
    </Banner>
  );
}
