import { text } from '../texts/app.ts';

export function Mark() {
  return (
    <span className="mark">
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <rect x="1" y="1" width="14" height="14" fill="none" stroke="currentColor" strokeWidth="2" />
        <path d="M8 5.2v5.6M5.2 8h5.6" stroke="var(--accent)" strokeWidth="2" />
      </svg>
      {text.app.name}
    </span>
  );
}
