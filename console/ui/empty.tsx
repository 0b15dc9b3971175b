import type { ReactNode } from 'react';
import './empty.css';

/** Lines of each drawing, on 80 by 64: those of the thing itself, and fainter ones around it. */
const drawings = {
  parcel: ['M20 22l20-9 20 9v22l-20 9-20-9zM20 22l20 9 20-9M40 31v22', 'M30 17.5l20 9v8'],
  person: ['M31 22a9 9 0 1 0 18 0a9 9 0 1 0-18 0zM22 54c0-10 8-16 18-16s18 6 18 16z', 'M58 16a7 7 0 0 1 0 13M64 42c4 3 6 7 6 12'],
  talk: ['M14 12h46v28H34l-10 10V40H14z', 'M24 22h26M24 30h16'],
  letter: ['M20 16h46v32H20zM20 17l23 18 23-18', 'M6 24h8M2 32h12M8 40h6'],
  sheet: ['M24 8h22l12 12v36H24zM46 8v12h12', 'M31 30h20M31 38h20M31 46h12'],
  picture: ['M16 12h48v40H16zM16 46l15-14 12 11 8-7 13 11', 'M49 24a4 4 0 1 0 8 0a4 4 0 1 0-8 0z'],
  ticket: ['M12 18h56v9a5 5 0 0 0 0 10v9H12v-9a5 5 0 0 0 0-10z', 'M32 40l16-16M33 25h.01M47 39h.01'],
  key: ['M14 34a11 11 0 1 0 22 0a11 11 0 1 0-22 0zM36 34h30M58 34v9M66 34v7', 'M21 34a4 4 0 1 0 8 0a4 4 0 1 0-8 0z'],
  lorry: [
    'M16 16h30v28h-8M28 44h-2M16 16v28h0M46 25h11l11 11v8h-2M56 44H38M16 44a6 6 0 1 0 12 0a6 6 0 1 0-12 0zM54 44a6 6 0 1 0 12 0a6 6 0 1 0-12 0z',
    'M4 24h6M2 32h8M5 40h5',
  ],
  cycle: ['M22 32a18 18 0 0 1 31-12.5M58 32a18 18 0 0 1-31 12.5M54 10v10H44M26 54V44h10', 'M34 32h12M40 26v12'],
  flow: ['M12 10h20v16H12zM48 38h20v16H48zM22 26v14a6 6 0 0 0 6 6h20', 'M18 18h8M54 46h8M43 41l5 5-5 5'],
  play: ['M22 32a18 18 0 1 0 36 0a18 18 0 1 0-36 0zM35 23l13 9-13 9z', 'M6 26h9M3 32h10M6 38h9'],
  bell: ['M27 42V28a13 13 0 0 1 26 0v14l4 6H23zM35 53a5 5 0 0 0 10 0', 'M16 24a24 24 0 0 1 7-12M64 24a24 24 0 0 0-7-12'],
  lines: ['M18 8h44v48H18z', 'M26 19h28M26 28h20M26 37h28M26 46h14'],
  done: ['M22 14h36v42H22zM33 9h14v10H33z', 'M31 37l6 6 12-13'],
  look: ['M12 10h56v44H12zM12 20h56', 'M18 15h.01M24 15h.01M20 28h18v18H20zM46 29h14M46 37h14M46 45h9'],
  pin: ['M40 54C29 42 25 35 25 27a15 15 0 0 1 30 0c0 8-4 15-15 27zM35 27a5 5 0 1 0 10 0a5 5 0 1 0-10 0z', 'M20 56h40'],
  label: ['M20 12h18l24 24-18 18-24-24z', 'M26 21a3 3 0 1 0 6 0a3 3 0 1 0-6 0z'],
  braces: [
    'M30 10c-8 0-8 6-8 11s0 11-6 11c6 0 6 6 6 11s0 11 8 11M50 10c8 0 8 6 8 11s0 11 6 11c-6 0-6 6-6 11s0 11-8 11',
    'M33 27l14 10M47 27L33 37',
  ],
  search: ['M18 28a16 16 0 1 0 32 0a16 16 0 1 0-32 0zM46 40l16 15', 'M28 28h12'],
  sign: ['M40 8v48M22 13h32l9 8-9 8H22zM58 33H30l-8 7 8 7h28z', 'M28 56h24'],
  lock: ['M24 30h32v24H24zM30 30v-8a10 10 0 0 1 20 0v8', 'M40 39v7'],
  plug: ['M6 32h14M20 22h10v20H20zM30 27h7M30 37h7M74 32H60M60 22H50v20h10z', 'M41 18l-3-7M47 16l1-7M53 18l4-6'],
} as const;

export type Drawing = keyof typeof drawings;

type Props = { drawing: Drawing; title: string; example?: string | undefined; children?: ReactNode };

/** A drawing of what would be here, a sentence that says so, one example, and the one act that fills it. */
export function Empty({ drawing, title, example, children }: Props) {
  const [lines, faint] = drawings[drawing];
  return (
    <div className="empty">
      <svg className="empty-drawing" viewBox="0 0 80 64" width="80" height="64" aria-hidden="true">
        <path className="faint" d={faint} />
        <path d={lines} />
      </svg>
      <p className="empty-title">{title}</p>
      {example === undefined ? null : <p>{example}</p>}
      {children ? <div className="acts">{children}</div> : null}
    </div>
  );
}
