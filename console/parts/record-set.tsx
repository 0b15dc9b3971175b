import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { text } from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { type ChoicesQuery, Picker } from '../ui/picker.tsx';
import { Problem } from '../ui/problem.tsx';

type Props = {
  items: readonly { id: number; name: string; view: ReactNode }[];
  /** What the field finds, as its label says. */
  label: string;
  search(typed: string): ChoicesQuery;
  none: string;
  mayChange: boolean;
  /** The order of the records matters. */
  isOrdered?: boolean;
  /** Changes the list as it is on the server now. */
  change(edit: (ids: readonly number[]) => number[]): Promise<unknown>;
};

/** Records that belong to another one, such as the images of a product. Each change is saved at once. */
export function RecordSet({ items, label, search, none, mayChange, isOrdered = false, change }: Props) {
  const save = useMutation({ mutationFn: change });
  const [dragged, setDragged] = useState<number | null>(null);
  const isSorted = isOrdered && mayChange;
  const remove = (id: number): void => save.mutate((ids) => ids.filter((one) => one !== id));
  return (
    <>
      {save.error ? <Problem error={save.error} /> : null}
      {items.length === 0 ? (
        <p className="muted">{none}</p>
      ) : (
        <ul className="rows">
          {items.map(({ id, name, view }, index) => (
            <li
              key={id}
              draggable={isSorted}
              onDragStart={() => setDragged(id)}
              onDragEnd={() => setDragged(null)}
              onDragOver={(event) => dragged !== null && event.preventDefault()}
              onDrop={(event) => {
                if (dragged === null) return;
                event.preventDefault();
                event.stopPropagation();
                if (dragged !== id) save.mutate((ids) => moved(ids, dragged, id));
                setDragged(null);
              }}
            >
              <div>{view}</div>
              {mayChange ? (
                <div className="acts">
                  {isOrdered && index > 0 ? (
                    <Button kind="quiet" aria-label={text.set.earlierNamed(name)} onClick={() => save.mutate((ids) => earlier(ids, id))}>
                      {text.set.earlier}
                    </Button>
                  ) : null}
                  <Button kind="quiet" aria-label={text.set.removeNamed(name)} onClick={() => remove(id)}>
                    {text.set.remove}
                  </Button>
                </div>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {mayChange ? (
        <Picker label={label} search={search} onPick={({ id }) => save.mutate((ids) => (ids.includes(id) ? [...ids] : [...ids, id]))} />
      ) : null}
    </>
  );
}

/** Takes the place of another one, which goes towards where it came from. */
function moved(ids: readonly number[], id: number, place: number): number[] {
  const [from, to] = [ids.indexOf(id), ids.indexOf(place)];
  return from < 0 || to < 0 ? [...ids] : ids.toSpliced(from, 1).toSpliced(to, 0, id);
}

/** One place nearer to the start. */
function earlier(ids: readonly number[], id: number): number[] {
  const at = ids.indexOf(id);
  if (at < 1) return [...ids];
  const rest = ids.filter((one) => one !== id);
  return [...rest.slice(0, at - 1), id, ...rest.slice(at - 1)];
}
