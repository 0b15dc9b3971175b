import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { download } from '../../api/download.ts';
import { countText } from '../../language/formats.ts';
import { listActsText as t } from '../../texts/list-acts.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';

/** So many records at most are in one file. */
const EXPORT_MAX = 100_000;

type Props = {
  /** Below `/admin/api`, with its query. */
  path: string;
  /** The name of the file without its ending. */
  name: string;
  /** How many records it would have. */
  total: number;
  /** It stands among what acts on the list as a whole. */
  isQuiet?: boolean;
};

/** Saves the records of a list as a table; of too many it says so. */
export function ExportButton({ path, name, total, isQuiet = false }: Props) {
  const [isTooMuch, setTooMuch] = useState(false);
  const save = useMutation({ mutationFn: () => download(path, `${name}.csv`) });
  function start(): void {
    setTooMuch(total > EXPORT_MAX);
    if (total <= EXPORT_MAX) save.mutate();
  }
  return (
    <>
      <Button kind={isQuiet ? 'quiet' : 'plain'} disabled={total === 0 || save.isPending} onClick={start}>
        {t.export}
      </Button>
      {isTooMuch ? (
        <p role="alert" className="danger-text">
          {t.exportMax(countText(EXPORT_MAX))}
        </p>
      ) : null}
      {save.error ? <Problem error={save.error} /> : null}
    </>
  );
}
