/** The page of a record, by its type as the API names it; undefined where no page shows it. */
export function recordPath({ type, id }: { type: string; id: number | null }): string | undefined {
  return id === null ? undefined : paths[type]?.(id);
}

const paths: Record<string, (id: number) => string> = {
  order: (id) => `/orders?open=${id}`,
};
