import { useMutation, useQuery } from '@tanstack/react-query';
import type { Artifact } from '../../../../contract/artifacts.ts';
import type { Run } from '../../../../contract/runs.ts';
import { download } from '../../../api/download.ts';
import { bytesText } from '../../../language/formats.ts';
import { blanks } from '../../../parts/blanks.ts';
import { Moment } from '../../../parts/values.tsx';
import { runsText } from '../../../texts/runs.ts';
import { Button } from '../../../ui/button.tsx';
import { List } from '../../../ui/list.tsx';
import { Problem } from '../../../ui/problem.tsx';
import type { Column } from '../../../ui/table.tsx';
import { artifactPath, runArtifacts } from '../queries.ts';

const t = runsText.files;

/** What the run has written for people to download. */
export function FilesTab({ run }: { run: Run }) {
  const files = useQuery(runArtifacts(run.task_id, run.id, run.status === 'running'));
  const save = useMutation({ mutationFn: ({ id, name }: Artifact) => download(artifactPath(run.task_id, run.id, id), name) });
  const columns: Column<Artifact>[] = [
    { name: 'name', head: t.columns.name, cell: ({ name }) => <span className="wrap">{name}</span> },
    { name: 'type', head: t.columns.type, cell: ({ content_type }) => <span className="muted">{content_type}</span>, isMinor: true },
    { name: 'size', head: t.columns.size, cell: ({ size_bytes }) => bytesText(size_bytes), isNumber: true },
    { name: 'sha256', head: t.columns.sha256, cell: ({ sha256 }) => <code title={sha256}>{sha256.slice(0, 12)}…</code>, isMinor: true },
    { name: 'at', head: t.columns.at, cell: ({ created_at }) => <Moment at={created_at} />, isMinor: true },
    {
      name: 'act',
      head: <span className="visually-hidden">{t.download}</span>,
      cell: (file) => (
        <Button aria-label={t.downloadOf(file.name)} disabled={save.isPending} onClick={() => save.mutate(file)}>
          {t.download}
        </Button>
      ),
    },
  ];
  return (
    <>
      {save.error ? <Problem error={save.error} /> : null}
      <List
        label={t.label}
        query={files}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={t.none}
        blank={blanks.ofRun}
      />
    </>
  );
}
