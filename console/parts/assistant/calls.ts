import type { AssistantDraft } from '../../../contract/assistant.ts';
import { api } from '../../api/client.ts';
import { queryOf } from '../queries.ts';

const THREADS_MAX = 50;

export const assistantStatus = queryOf('assistant.status', api.assistant.status)();
/** A thread as it was when it was opened; its events tell what happens from then on. */
export const threadRecord = queryOf('assistant.get_thread', api.assistant.get_thread, {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchInterval: false,
});

/** The admin's own threads of a task; null: those that are about none. */
export function threadsOf(taskId: number | null) {
  const query = { per_page: THREADS_MAX, ...(taskId === null ? {} : { task_id: taskId }) };
  return {
    queryKey: ['assistant.list_threads', query],
    queryFn: async () => (await api.assistant.list_threads(query)).data.filter(({ task_id }) => task_id === taskId),
  };
}

type Place = { taskId: number | null; runId?: number | undefined };

/** Begins a thread. The first message follows as a request of its own, so that the events are followed from the start. */
export async function beginThread({ taskId, runId }: Place, seesPersonalData: boolean): Promise<number> {
  const { id } = await api.assistant.create_thread({
    ...(taskId === null ? {} : { task_id: taskId }),
    ...(runId === undefined ? {} : { run_id: runId }),
    sees_personal_data: seesPersonalData,
  });
  return id;
}

export const sendMessage = (id: number, text: string, draft: AssistantDraft | undefined) =>
  api.assistant.send_message(id, { text, ...(draft === undefined ? {} : { draft }) });
export const stopThread = (id: number) => api.assistant.stop(id);
export const retryThread = (id: number) => api.assistant.retry(id);
export const removeThread = (id: number) => api.assistant.delete_thread(id);
