import { attachment } from '../../http/file-answer.ts';
import type { Contents, Handlers } from '../../http/handlers.ts';
import type { Services } from '../../services.ts';
import * as artifacts from './domain.ts';

export const artifactsRoutes = ({ files }: Services): Handlers => ({
  'ai_tasks.list_artifacts': (ctx, { params }) => artifacts.listArtifacts(ctx, params.run_id),
  'runner.write_artifact': (ctx) => artifacts.writeArtifact(ctx, files),
});

export const artifactsContents = ({ store, files }: Services): Contents => ({
  'ai_tasks.get_artifact_content': async ({ params, actor }) => {
    const place = { taskId: params.id, runId: params.run_id, id: params.artifact_id };
    const { content, name, content_type } = await artifacts.openArtifact(store.reader, files, actor, place);
    return attachment(content, name, content_type);
  },
});
