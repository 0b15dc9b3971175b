/** What agents may be given, without schemas, so that the console may load it. */

/** Resources that no agent reaches, whatever its admin may (spec MC2). */
const CLOSED = /^admin_api\.(admins|settings|preferences|runner|webhooks)\./;
/** Of what belongs to tasks, an agent reads all and writes versions alone. */
const OF_TASKS = /^admin_api\.(ai_tasks|task_secrets|task_variables)\.(write|approve)$/;

export function isGivenToAgents(permission: string): boolean {
  return !CLOSED.test(permission) && (!OF_TASKS.test(permission) || permission === 'admin_api.ai_tasks.write');
}
