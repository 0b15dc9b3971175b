import type { Command, Option } from '../cli/command.ts';
import { commandGroups } from '../cli/command-list.ts';

/** The text of `docs/cli.md`, made from the commands themselves. */
export function cliReference(): string {
  return [HEAD, ...commandGroups.flatMap(({ title, commands }) => [`## ${title}`, ...commands.map(section)])].join('\n\n').concat('\n');
}

const HEAD = `# The command line

<!-- Made from the commands by \`npm run cli-reference\`. To change it, change what a command says of itself in cli/commands/. -->

\`backroom\` comes with the package, and is typed as \`npx backroom COMMAND\` in the folder where that is installed. \`npx backroom COMMAND --help\`
prints what stands here. Without a COMMAND, it asks in a terminal whether to start a demo or your own shop; elsewhere it starts the demo.
[Commands](commands.md) has those of the project itself, and what to know when a store is moved.

- **Usage**: words in capitals are yours, what stands in \`[ ]\` can be left out, \`…\` means several, \`|\` one of them.
- **Server and token** come from \`--server\` and \`--token\`, else from \`SERVER_URL\` and \`BACKROOM_TOKEN\`, else from the stored
  [login](#login). A stored token is sent only to the server that it was stored for.
- **Output**: what a command was asked for goes to standard output, hints and warnings go to standard error.
- **Exit codes**: 0 means done. 1: it could not be done, or the run that was shown did not succeed. 2: the command line is wrong, and the message
  says what is accepted. 130: Ctrl-C stopped it.

| Variable | Is |
| --- | --- |
| \`SERVER_URL\` | address of the server |
| \`BACKROOM_TOKEN\` | access token |
| \`BACKROOM_HOOK_SECRET\` | the secret that the sender of a hook signs with, for \`hook create --verify\` |
| \`XDG_CONFIG_HOME\` | folder in which \`backroom/login.json\` is kept (default: \`~/.config\`) |
| \`NO_COLOR\` | any value: no colours |
| \`DATA_DIR\`, \`DATABASE_URL\`, \`HOST\`, \`PORT\` and others | for commands that start a shop or work on its store: those [of the server](environment.md) |`;

function section({ name, usage, about, options = [], notes = [], example }: Command): string {
  return [
    `### ${name}`,
    `\`${`backroom ${name} ${usage}`.trimEnd()}\``,
    `${about.replace(/^./, (letter) => letter.toUpperCase())}.`,
    options.length === 0 ? '' : ['| Option | Does |', '| --- | --- |', ...options.map(row)].join('\n'),
    notes.join(' '),
    example === undefined ? '' : `\`\`\`sh\n${example}\n\`\`\``,
  ]
    .filter(Boolean)
    .join('\n\n');
}

const row = ([typed, about]: Option): string => `| \`${cell(typed)}\` | ${cell(about)} |`;
const cell = (text: string): string => text.replaceAll('|', '\\|');
