import { Link } from '@tanstack/react-router';
import { Moment } from '../../parts/values.tsx';
import { tasksText } from '../../texts/tasks.ts';
import { Section } from '../../ui/page.tsx';
import { ApprovalState, versionAuthor } from './parts.tsx';
import type { TaskDetail } from './queries.ts';
import '../../ui/list.css';

const t = tasksText.page;

/** The versions of a task, newest first; each leads to its source and permissions. */
export function Versions({ detail: { task, versions } }: { detail: TaskDetail }) {
  return (
    <Section title={t.versions}>
      <ul className="versions">
        {versions.map((version) => (
          <li key={version.id}>
            <Link to="/tasks/$id/versions/$v" params={{ id: String(task.id), v: String(version.id) }}>
              {t.version(version.version)}
            </Link>
            <span>
              {version.id === task.current_version_id ? <span className="tag">{t.current}</span> : <ApprovalState version={version} />}
            </span>
            <span className="muted">
              <Moment at={version.created_at} /> {versionAuthor(version)}
            </span>
            {version.note === null ? null : <span className="version-note">{version.note}</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
