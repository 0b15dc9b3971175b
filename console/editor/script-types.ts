/** What the build makes out of the contract and sandbox-lib for the editor (tools/console-types.ts). */

/** A call of a script, as the editor shows it. */
export type ScriptCall = {
  /** `orders.list` */
  id: string;
  /** The permission that it needs. */
  needs: string;
  summary: string;
  /** `(id: number, body: OrderPatch): Promise<OrderDetail>` */
  signature: string;
  /** Of a list that `each` can follow: the signature of `each`. */
  each?: string;
};

export type ScriptTypes = {
  /** The types that the signatures name, each on one line. */
  schemas: string;
  calls: ScriptCall[];
  /** The files of sandbox-lib that say what else a script has, by name. */
  library: Record<string, string>;
  /** The library of the language itself: the files that sandbox-lib's configuration names, and those that they name. */
  libs: { roots: string[]; files: Record<string, string> };
};
