import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';

/** How to write a good task, for clients that know skills. */
const WRITE_TASK = `---
name: write-task
description: Writes a task script for this shop, tries it and hands it in. Use it when somebody wants something in the shop done or automated.
---

# Write a good task

1. Ask back if the wish leaves open whom it concerns, when it applies, or what must not happen.
2. Find the operations with search_api; read the types of each that you call. Begin at an example that is near (backroom://examples/…).
3. A script is TypeScript: \`export default async function main() { … }\`. Everything that it may use is global, as backroom://script-api tells:
   \`admin\`, \`parameters\`, \`log\`, \`checkpoint\`, \`once\`, \`state\`. What a person may want to change is a parameter, with a default.
4. Declare the permissions that its calls need, and no other; read is enough where nothing is written. check tells what is missing and too many.
5. Follow lists with \`each\`. Compare before you write, so that a second run changes nothing. Throw where something is not as expected.
6. Long work: \`await checkpoint(place)\` after each portion, and begin at \`last_checkpoint\`. What must happen once is inside \`once\`.
7. check until it has nothing to tell; then dry_run until the plan is what was wished, and nothing else. Look at each kind of change.
8. submit with the dry run as evidence, or propose what is to run once. Say in a note what it changes, and what it leaves alone. A person decides.
`;

export const loadSkills = () => SkillsExtension.load(memorySkillFiles({ 'write-task/SKILL.md': WRITE_TASK }), { strict: true });
