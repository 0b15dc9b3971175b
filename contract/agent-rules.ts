/** What agents may be given, without schemas, so that the console may load it. */

/** Resources that no agent reaches, whatever its admin may (spec MC2). */
const CLOSED = /^admin_api\.(admins|settings|preferences|runner|webhooks)\./;
/** Of what belongs to tasks, an agent reads all and writes versions alone. */
const OF_TASKS = /^admin_api\.(ai_tasks|task_secrets|task_variables)\.(write|approve)$/;

export function isGivenToAgents(permission: string): boolean {
  return !CLOSED.test(permission) && (!OF_TASKS.test(permission) || permission === 'admin_api.ai_tasks.write');
}

const NOT_IN_NAMES = /[\p{C}\p{Zl}\p{Zp}«»]/gu;
export const AGENT_NAME_MAX = 80;

/** Whether a name is one line that shows all that it is. It stands between « and » in texts that people decide by. */
export function isAgentName(name: string): boolean {
  return name.search(NOT_IN_NAMES) === -1;
}

/** A name for the agent that is made of a client, from what the client calls itself. */
export function agentNameOf(client: string): string {
  return [...client.replaceAll(NOT_IN_NAMES, '')].slice(0, AGENT_NAME_MAX).join('').trim();
}
