import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { SourceWarning } from '../../contract/source-warning.ts';
import { text } from '../texts/app.ts';
import { Problem } from '../ui/problem.tsx';
import { Status } from '../ui/status.tsx';
import './preview.css';

const t = text.preview;

/** Shows HTML of the shop in a frame that can do nothing: no scripts of it run, and nothing is asked of other hosts. */
function PreviewFrame({ html, title, width }: { html: string; title: string; width: number | undefined }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent): void => {
      if (source === frame.current?.contentWindow && data === 'ready') setReady(true);
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, []);
  useEffect(() => {
    // The frame has no origin of its own to name.
    if (isReady) frame.current?.contentWindow?.postMessage({ html }, '*');
  }, [isReady, html]);
  const { place, style } = useFit(width);
  return (
    <div ref={place} className="preview">
      <iframe ref={frame} title={title} src="/preview.html" sandbox="allow-scripts" {...(style ? { style } : {})} />
    </div>
  );
}

/** Makes what is wider than its place smaller, as a whole. */
function useFit(width: number | undefined) {
  const place = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<{ width: number; height: number } | null>(null);
  useEffect(() => {
    const { current } = place;
    if (current === null || width === undefined) return;
    const observer = new ResizeObserver(() => setRoom({ width: current.clientWidth, height: current.clientHeight }));
    observer.observe(current);
    return () => observer.disconnect();
  }, [width]);
  if (width === undefined || room === null) return { place, style: null };
  const scale = Math.min(1, room.width / width);
  const style = { inlineSize: `${width}px`, blockSize: `${room.height / scale}px`, transform: `scale(${scale})` };
  return { place, style };
}

type SideProps = {
  preview: UseQueryResult<{ html: string | null; errors: readonly Fault[] }>;
  title: string;
  /** How many pixels wide the page is shown; else as there is room. */
  width?: number | undefined;
  /** What is chosen about the preview, above it. */
  children: ReactNode;
};

/** Beside an editor, what its text would show; the last picture stays, paler, while the next is made. */
export function PreviewSide({ preview, title, width, children }: SideProps) {
  return (
    <section className="preview-side" aria-label={title}>
      {children}
      {preview.error ? <Problem error={preview.error} /> : null}
      <Faults faults={preview.data?.errors ?? []} />
      {preview.data?.html == null ? null : (
        <div className={preview.isPlaceholderData ? 'preview-stale' : undefined}>
          <PreviewFrame html={preview.data.html} title={title} width={width} />
        </div>
      )}
    </section>
  );
}

type Fault = SourceWarning & { template?: string | null };

/** What is wrong with a template, and where. */
export function Faults({ faults }: { faults: readonly Fault[] }) {
  if (faults.length === 0) return null;
  return (
    <ul className="faults" role="status">
      {faults.map(({ line, column, message, template }) => (
        <li key={`${template} ${line} ${column} ${message}`}>
          <Status tone="need">{template ? t.placeIn(template, line, column) : t.place(line, column)}</Status> {message}
        </li>
      ))}
    </ul>
  );
}
