/** What the build makes out of the contract and sandbox-lib for the reference beside the editor (tools/script-reference.ts). */
export type ScriptReference = {
  /** As a source names it: `admin.orders.list`, `files.read`, `log`. */
  name: string;
  /** The permission that it needs; null: none. */
  needs: string | null;
  summary: string;
  signature: string;
  /** Source that uses it. */
  example: string;
}[];
