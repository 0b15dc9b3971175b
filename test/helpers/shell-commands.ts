/** The simple commands of a shell script as their words, with those inside `$(…)`; assignments before a command are in `sets`. */
export type ShellCommand = { sets: readonly string[]; words: readonly string[]; line: number };

/** Reads as much of the shell's grammar as documents use: quotes, comments, continued lines, `&&`, `||`, `;`, `|` and redirections. */
export function commandsOf(script: string): readonly ShellCommand[] {
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  let word: string | null = null;
  let line = 0;
  const endWord = (): void => {
    if (word !== null) words.push(word);
    word = null;
  };
  const endCommand = (): void => {
    endWord();
    const first = words.findIndex((one) => !/^[A-Za-z_]\w*=/.test(one));
    const at = first < 0 ? words.length : first;
    if (words.length > 0) commands.push({ sets: words.slice(0, at), words: withoutRedirections(words.slice(at)), line });
    words = [];
  };
  for (let i = 0; i < script.length; i++) {
    const char = script[i] ?? '';
    const two = script.slice(i, i + 2);
    if (two === '\\\n') {
      endWord();
      i += 1;
    } else if (two === '$(') {
      const end = closingOf(script, i + 1);
      const before = script.slice(0, i).split('\n').length - 1;
      commands.push(...commandsOf(script.slice(i + 2, end)).map((one) => ({ ...one, line: before + one.line })));
      word = `${word ?? ''}${script.slice(i, end + 1)}`;
      i = end;
    } else if (char === "'" || char === '"') {
      const end = closingQuote(script, i);
      const quoted = script.slice(i + 1, end);
      if (char === '"') commands.push(...[...quoted.matchAll(/\$\(([^()]*)\)/g)].flatMap(([, inner = '']) => commandsOf(inner)));
      word = `${word ?? ''}${quoted}`;
      i = end;
    } else if (char === '#' && word === null) {
      i = endOfLine(script, i) - 1;
    } else if (/[\n;|&]/.test(char) && !/^&\d|^>&/.test(script.slice(i - 1, i + 1))) {
      endCommand();
      if (two === '&&' || two === '||') i += 1;
      line = script.slice(0, i + 1).split('\n').length - 1;
    } else if (/\s/.test(char)) endWord();
    else word = `${word ?? ''}${char}`;
  }
  endCommand();
  return commands;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function closingQuote(text: string, at: number): number {
  const end = text.indexOf(text[at] ?? '', at + 1);
  if (end < 0) throw new Error(`a quote is not closed: ${text.slice(at, at + 40)}`);
  return end;
}

function closingOf(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if (text[i] === "'") i = closingQuote(text, i);
    else if (text[i] === '(') depth += 1;
    else if (text[i] === ')' && --depth === 0) return i;
  }
  throw new Error(`a bracket is not closed: ${text.slice(at, at + 40)}`);
}

const withoutRedirections = (words: readonly string[]): readonly string[] =>
  words.filter((word, n) => !/^\d*[<>]/.test(word) && !/^\d*[<>]+$/.test(words[n - 1] ?? ''));
