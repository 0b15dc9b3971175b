import { useMemo } from 'react';
import { marksInText, partsOfLine } from '../../contract/source-marks.ts';
import { MarkedParts } from './marked-text.tsx';

/** A text in which what cannot be seen, or looks like another letter, is marked. */
export function FoundMarks({ text }: { text: string }) {
  const parts = useMemo(() => partsOfLine({ text, start: 0 }, marksInText(text)), [text]);
  return <MarkedParts parts={parts} />;
}
