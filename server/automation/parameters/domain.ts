import type { JsonObject } from '../../../contract/run-events.ts';
import type { ParameterDeclaration } from '../../../contract/tasks.ts';
import { isEntitled } from '../../resources/admins/domain.ts';
import { holdKnownFiles } from '../../resources/files/domain.ts';
import { actingAdmin, type Ctx, may } from '../../verbs/context.ts';
import { refusePermission, refuseValues } from '../../verbs/problem.ts';
import { acceptValues, fileParameters } from './rules.ts';

/**
 * The admin who gives a run its parameters. These may name files that this admin uploaded, and any other file if the admin
 * may read files.
 */
export type Giver = { adminId: number; readsFiles: boolean };

/** The admin who makes the request, with the permissions of the request's token. */
export function askingGiver(ctx: Ctx): Giver {
  return { adminId: actingAdmin(ctx).adminId, readsFiles: may(ctx.actor, 'admin_api.files.read') };
}

/** The columns that say for which admin a schedule or trigger acts: the one who made or last changed it. */
export function actsForAsker(ctx: Ctx): { acts_for: number; reads_files: number } {
  const { adminId, readsFiles } = askingGiver(ctx);
  return { acts_for: adminId, reads_files: readsFiles ? 1 : 0 };
}

/**
 * Whether a save is a change although it changes nothing else: it takes over from an admin for whom no run is opened any more, who was
 * deactivated or may not start tasks.
 */
export async function takesOver(ctx: Ctx, { acts_for: id }: { acts_for: number }): Promise<boolean> {
  return id !== actingAdmin(ctx).adminId && !(await isEntitled(ctx.db, id, 'admin_api.ai_tasks.write'));
}

/**
 * Checks the parameters and fills in defaults. The files that they name must exist, and the giver must be allowed to use
 * them; a file that is deleted later is reported when the script reads it.
 */
export async function acceptParameters(
  ctx: Ctx,
  declarations: readonly ParameterDeclaration[],
  given: JsonObject,
  giver: Giver,
): Promise<JsonObject> {
  const { parameters, files, known } = await checkValues(ctx, declarations, given);
  refuseForeign(files, known, giver);
  refuseUnknown(
    files.map((file) => ({ ...file, pointer: `/parameters/${file.name}` })),
    known,
  );
  return parameters;
}

/**
 * Checks the parameters of an earlier run for a run that continues or replays it, perhaps by another admin or with another
 * version. Files that no longer exist are accepted.
 */
export async function acceptAgain(
  ctx: Ctx,
  declarations: readonly ParameterDeclaration[],
  given: JsonObject,
  giver: Giver,
): Promise<JsonObject> {
  const { parameters, files, known } = await checkValues(ctx, declarations, given);
  refuseForeign(
    files.filter(({ id }) => known.has(id)),
    known,
    giver,
  );
  return parameters;
}

/**
 * Checks that the files which a version or draft names as defaults exist and that its author may use them. `within`: the
 * pointer to the version in the body.
 */
export async function acceptDefaults(ctx: Ctx, declarations: readonly ParameterDeclaration[], within = ''): Promise<void> {
  const files = declarations.flatMap(({ name, kind, default: id }, index) =>
    kind === 'file' && typeof id === 'number' ? [{ name, id, pointer: `${within}/parameters/${index}/default` }] : [],
  );
  const known = await holdKnownFiles(
    ctx,
    files.map(({ id }) => id),
  );
  refuseForeign(files, known, askingGiver(ctx));
  refuseUnknown(files, known);
}

type NamedFile = ReturnType<typeof fileParameters>[number];
type KnownFiles = Awaited<ReturnType<typeof holdKnownFiles>>;

async function checkValues(ctx: Ctx, declarations: readonly ParameterDeclaration[], given: JsonObject) {
  const parameters = acceptValues(declarations, given);
  const files = fileParameters(declarations, parameters);
  const known = await holdKnownFiles(
    ctx,
    files.map(({ id }) => id),
  );
  return { parameters, files, known };
}

/**
 * An admin without the permission to read files gets the same refusal for a foreign file and for one that does not exist, so
 * that ids cannot be probed.
 */
function refuseForeign(files: readonly NamedFile[], known: KnownFiles, { adminId, readsFiles }: Giver): void {
  const foreign = readsFiles ? undefined : files.find(({ id }) => known.get(id) !== adminId);
  if (!foreign) return;
  throw refusePermission(
    'forbidden',
    ['admin_api.files.read'],
    `The parameter "${foreign.name}" names file ${foreign.id}, which admin ${adminId} did not upload: that needs the permission admin_api.files.read.`,
  );
}

function refuseUnknown(files: readonly (NamedFile & { pointer: string })[], known: KnownFiles): void {
  const missing = files.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return;
  throw refuseValues(
    missing.map(({ id, pointer }) => ({ pointer, parameter: null, code: 'file_not_found', detail: `there is no file ${id}` })),
  );
}
