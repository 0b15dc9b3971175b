import { lazy, Suspense } from 'react';
import type { LinePart } from '../../contract/source-marks.ts';
import './marked-text.css';

const FoundMarks = lazy(async () => ({ default: (await import('./found-marks.tsx')).FoundMarks }));

/** Names in Latin letters are as they look, so that most pages need not load what finds marks. */
const ORDINARY = /^(?!.* {80})[ -~\u00c0-\u017e]*$/;

/** A text of others that is no code: a name, a label, a note. What cannot be seen in it is written out. */
export function MarkedText({ text }: { text: string }) {
  if (ORDINARY.test(text)) return text;
  return (
    <Suspense fallback={<InOrder text={text} />}>
      <FoundMarks text={text} />
    </Suspense>
  );
}

/** The class by which a page finds its marks. */
export const MARK = 'source-mark';

export function MarkedParts({ parts }: { parts: readonly LinePart[] }) {
  return parts.map(({ at, text, mark }) =>
    mark === null ? (
      <InOrder key={at} text={text} />
    ) : (
      <mark key={`${at} ${mark.message}`} className={MARK} title={mark.message}>
        {text}
      </mark>
    ),
  );
}

/** Words that are written from right to left. */
const LEFTWARD = /([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+)/u;

/** A text in the order in which it is stored: words from right to left take along nothing that stands beside them. */
function InOrder({ text }: { text: string }) {
  if (!LEFTWARD.test(text)) return text;
  let at = 0;
  return text.split(LEFTWARD).map((part) => {
    at += part.length;
    return LEFTWARD.test(part) ? <bdi key={at}>{part}</bdi> : part;
  });
}
