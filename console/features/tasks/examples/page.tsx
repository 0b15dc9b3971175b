import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { declaredOf } from '../../../../contract/declared.ts';
import { useMay } from '../../../parts/shop.ts';
import { examplesText as t } from '../../../texts/examples.ts';
import { permissionText } from '../../../texts/permissions.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { valueText } from '../../../ui/change.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { PageHead, Section } from '../../../ui/page.tsx';
import { type Example, exampleOf } from '../queries.ts';
import { NewTaskForm } from './new.tsx';
import { PlanPicture } from './plan-picture.tsx';
import { TryIt } from './try.tsx';
import '../page.css';
import './examples.css';

const route = getRouteApi('/tasks/new/$example');

export function ExamplePage() {
  const query = useQuery(exampleOf(route.useParams().example));
  return <Loaded query={query}>{(example) => <ExampleView key={example.name} example={example} />}</Loaded>;
}

function ExampleView({ example }: { example: Example }) {
  const mayWrite = useMay()('admin_api.ai_tasks.write');
  const { title, description, topic, source_code, test_code, plan } = example;
  return (
    <>
      <PageHead title={title} note={description}>
        <ButtonLink to="/tasks/new" search={{ topic }}>
          {t.topics[topic]}
        </ButtonLink>
        <ButtonLink to="/tasks/new">{t.back}</ButtonLink>
      </PageHead>
      <div className="task-page">
        <div className="task-side">
          {mayWrite ? <Start example={example} /> : null}
          <Section title={t.may}>
            <ul>
              {declaredOf(example).map((one) => (
                <li key={one}>{permissionText(one)}</li>
              ))}
            </ul>
          </Section>
          <Section title={t.parameters}>
            <Parameters example={example} />
          </Section>
        </div>
        <div>
          {mayWrite ? <TryIt example={example} /> : null}
          <Section title={t.plan}>
            <PlanPicture plan={plan} />
          </Section>
          <Code title={t.source} text={source_code} />
          {test_code === null ? null : <Code title={t.test} text={test_code} />}
        </div>
      </div>
    </>
  );
}

function Start({ example }: { example: Example }) {
  const { title, description, source_code, permissions, parameters, mail_to, http_allow, secrets, may_start, settings } = example;
  const content = { source_code, permissions, parameters, mail_to, http_allow, secrets, may_start, note: t.from(title) };
  return (
    <Section title={t.start}>
      <NewTaskForm names={{ name: title, description }} content={content} settings={settings} submit={t.start}>
        <p className="muted">{t.startNote}</p>
      </NewTaskForm>
    </Section>
  );
}

function Parameters({ example: { parameters } }: { example: Example }) {
  if (parameters.length === 0) return <p className="muted">{t.noParameters}</p>;
  return (
    <ul className="example-parameters">
      {parameters.map(({ name, label = name, default: value, required }) => (
        <li key={name}>
          {label} {value === undefined ? null : <span className="muted">{valueText(value)}</span>}
          {required ? <span className="tag">{t.required}</span> : null}
        </li>
      ))}
    </ul>
  );
}

function Code({ title, text }: { title: string; text: string }) {
  return (
    <details className="example-code">
      <summary>{title}</summary>
      <pre>{text}</pre>
    </details>
  );
}
