import { useState } from 'react';
import { saveText } from '../api/download.ts';
import { passkeysText } from '../texts/passkeys.ts';
import { Button } from '../ui/button.tsx';
import './recovery-codes.css';

const t = passkeysText.codes;

/** Recovery codes, this once: they can be copied and saved, and are gone when somebody says that they are kept. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept(): void }) {
  const [isCopied, setCopied] = useState(false);
  const all = codes.join('\n');
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(all);
    setCopied(true);
  }
  return (
    <div className="recovery">
      <p>{t.why}</p>
      <ol className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="recovery-acts">
        <Button onClick={() => void copy()}>{isCopied ? t.copied : t.copy}</Button>
        <Button onClick={() => saveText(`${all}\n`, 'recovery-codes.txt')}>{t.save}</Button>
        <Button kind="first" onClick={onKept}>
          {t.kept}
        </Button>
      </div>
    </div>
  );
}
