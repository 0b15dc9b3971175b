import { type Routes, read, write } from '../../verbs/route.ts';
import * as comments from './domain.ts';

export const versionCommentRoutes = {
  'ai_tasks.list_comments': read(comments.listComments),
  'ai_tasks.get_comment': read(comments.getComment),
  'ai_tasks.create_comment': write(comments.createComment),
  'ai_tasks.answer_comment': write(comments.answerComment),
  'ai_tasks.update_comment': write(comments.updateComment),
} satisfies Partial<Routes>;
