import './status.css';

/** What a person is told of how something goes. Colour is for exceptions; the shape says the same without colour. */
export type Tone = 'move' | 'done' | 'fail' | 'need' | 'rest' | 'dry';

export function Status({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={`status ${tone}`}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        {shapes[tone]}
      </svg>
      {children}
    </span>
  );
}

const shapes: Record<Tone, React.ReactNode> = {
  move: <circle cx="6" cy="6" r="4.6" fill="none" stroke="currentColor" strokeWidth="1.6" strokeDasharray="22 7" />,
  done: (
    <>
      <circle cx="6" cy="6" r="5.4" fill="currentColor" />
      <path d="M3.6 6.2 5.3 7.9 8.5 4.4" fill="none" stroke="var(--surface)" strokeWidth="1.4" />
    </>
  ),
  fail: (
    <>
      <path d="M3.7.8h4.6l2.9 2.9v4.6l-2.9 2.9H3.7L.8 8.3V3.7z" fill="currentColor" />
      <path d="m4.2 4.2 3.6 3.6m0-3.6L4.2 7.8" stroke="var(--surface)" strokeWidth="1.4" />
    </>
  ),
  need: (
    <>
      <path d="M6 .8 11.6 11H.4z" fill="currentColor" />
      <path d="M6 4.4v3.2m0 1v1" stroke="var(--surface)" strokeWidth="1.3" />
    </>
  ),
  rest: (
    <>
      <circle cx="6" cy="6" r="4.8" fill="none" stroke="currentColor" strokeWidth="1.4" />
      <path d="M2.8 9.2 9.2 2.8" stroke="currentColor" strokeWidth="1.4" />
    </>
  ),
  dry: <circle cx="6" cy="6" r="4.8" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2.4 1.9" />,
};

/** A stage on a known way, as a ring that fills: grey, since nothing is wrong at any stage. */
export type Stage = 'empty' | 'quarter' | 'half' | 'three' | 'full' | 'barred';

export function Lifecycle({ stage, children }: { stage: Stage; children: string }) {
  return (
    <span className="status lifecycle">
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <circle cx="6" cy="6" r="4.8" fill="none" stroke="currentColor" strokeWidth="1.3" />
        {stage === 'barred' ? (
          <path d="M2.8 9.2 9.2 2.8" stroke="currentColor" strokeWidth="1.3" />
        ) : (
          <path d={fills[stage]} fill="currentColor" />
        )}
      </svg>
      {children}
    </span>
  );
}

const fills: Record<Exclude<Stage, 'barred'>, string> = {
  empty: '',
  quarter: 'M6 6V3a3 3 0 0 1 3 3z',
  half: 'M6 9V3a3 3 0 0 1 0 6z',
  three: 'M6 6H3a3 3 0 1 0 3-3z',
  full: 'M6 3a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
};
