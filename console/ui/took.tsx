import { useEffect, useState } from 'react';
import { durationText, goingText } from '../language/formats.ts';

const SECOND_MS = 1000;

type Props = { from: string; to: string | null; words?(time: string): string };

/** How long something took; of what goes on, how long it has been going, which is told anew each second while it is shown. */
export function Took({ from, to, words = (time) => time }: Props) {
  return to === null ? <Going from={from} words={words} /> : words(durationText(Date.parse(to) - Date.parse(from)));
}

function Going({ from, words }: Required<Omit<Props, 'to'>>) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return words(goingText(now - Date.parse(from)));
}
