import { runsText } from '../../../texts/runs.ts';
import { Section } from '../../../ui/page.tsx';
import { Json } from '../run/facts.tsx';

const t = runsText.compare;
const SHOWN = 100;

export function Texts({ title, texts, count = texts.length }: { title: string; texts: readonly string[]; count?: number }) {
  return (
    <Section title={title}>
      {texts.length === 0 ? <p className="muted">{t.none}</p> : null}
      {count > SHOWN ? <p className="muted">{t.shown(SHOWN, count)}</p> : null}
      <ol className="texts">
        {texts.slice(0, SHOWN).map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal texts may follow one another, and the list does not change
          <li key={index}>
            <code className="wrap">{one}</code>
          </li>
        ))}
      </ol>
    </Section>
  );
}

export function Side({ title, value }: { title: string; value: unknown }) {
  return (
    <div>
      <h3>{title}</h3>
      <Json value={value} />
    </div>
  );
}
