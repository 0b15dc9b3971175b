import { attachment } from '../../verbs/file-answer.ts';
import { content, type Routes, read, upload } from '../../verbs/route.ts';
import * as artifacts from './domain.ts';

export const artifactsRoutes = {
  'ai_tasks.list_artifacts': read((ctx, { params }) => artifacts.listArtifacts(ctx, params.run_id)),
  'runner.write_artifact': upload(artifacts.artifactUpload, (ctx) => artifacts.writeArtifact(ctx, ctx.services.files)),
  'ai_tasks.get_artifact_content': content(async ({ services, params, actor }) => {
    const place = { taskId: params.id, runId: params.run_id, id: params.artifact_id };
    const { content: opened, name, content_type } = await artifacts.openArtifact(services.store.reader, services.files, actor, place);
    return attachment(opened, name, content_type);
  }),
} satisfies Partial<Routes>;
