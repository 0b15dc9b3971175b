import { runsText } from '../../../texts/runs.ts';
import { Table } from '../../../ui/table.tsx';

type Props = { label: string; heads: readonly string[]; rows: readonly (readonly [name: string, ...counts: number[]])[] };

/** How many calls, effects and results two runs share or differ in. */
export function Counts({ label, heads, rows }: Props) {
  return (
    <div className="compare-counts">
      <Table
        label={label}
        rows={rows}
        idOf={(row) => rows.indexOf(row)}
        nameOf={([name]) => name}
        columns={[
          { name: 'what', head: runsText.compare.columns.what, cell: ([name]) => name },
          ...heads.map((head, index) => ({
            name: head,
            head,
            isNumber: true,
            cell: (row: Props['rows'][number]) => runsText.count(Number(row[index + 1])),
          })),
        ]}
      />
    </div>
  );
}
