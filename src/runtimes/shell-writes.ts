// What a shell line plainly writes: redirections and the usual commands that change files. No shell parser; it reads
// words and operators, which is enough to tell an honest agent that it is about to do the wrong thing.

export interface ShellWrites {
  readonly paths: readonly string[];
  /** A git command that changes history, index or worktree. */
  readonly gitVerb: string | null;
}

/** Commands whose operands (all, or all but the first) are files they change. */
const writers: Readonly<Record<string, 'all' | 'last' | 'in-place' | 'none'>> = {
  tee: 'all',
  truncate: 'all',
  touch: 'all',
  rm: 'all',
  mv: 'all',
  chmod: 'all',
  cp: 'last',
  ln: 'last',
  install: 'last',
  sed: 'in-place',
  perl: 'in-place',
};
const gitWrites = new Set(
  'add am apply checkout cherry-pick clean commit merge mv pull push rebase reset restore revert rm stash switch update-index update-ref'.split(
    ' ',
  ),
);

export function shellWrites(command: string): ShellWrites {
  const paths: string[] = [];
  let gitVerb: string | null = null;
  for (const words of commandsOf(command)) {
    const plain: string[] = [];
    for (let index = 0; index < words.length; index++) {
      const word = words[index] ?? '';
      const redirect = /^(?:\d|&)?(>>?\|?)(.*)$/.exec(word);
      if (redirect === null) plain.push(word);
      else {
        const target = redirect[2] || words[++index];
        if (target !== undefined && !target.startsWith('&') && target !== '/dev/null') paths.push(target);
      }
    }
    const at = plain.findIndex((word) => !/^\w+=/.test(word) && !/^(sudo|env|command|exec|time|nohup)$/.test(word));
    const name = plain[at]?.split('/').at(-1) ?? '';
    const operands = plain.slice(at + 1).filter((word) => !word.startsWith('-'));
    const flags = plain.slice(at + 1).filter((word) => word.startsWith('-'));
    if (name === 'git') gitVerb ??= gitVerbOf(plain.slice(at + 1));
    const rule = writers[name] ?? 'none';
    if (rule === 'all') paths.push(...operands);
    else if (rule === 'last') paths.push(...operands.slice(-1));
    else if (rule === 'in-place' && flags.some((flag) => /^(-[a-z]*i|--in-place)/.test(flag)))
      paths.push(...operands.slice(1));
  }
  return { paths, gitVerb };
}

function gitVerbOf(args: readonly string[]): string | null {
  const withValue = /^(-C|-c|--git-dir|--work-tree)$/;
  const verb = args.find((word, index) => !word.startsWith('-') && !withValue.test(args[index - 1] ?? ''));
  return verb !== undefined && gitWrites.has(verb) ? verb : null;
}

// A here-document is text, however much of it reads like commands.
const hereDocument = /(<<-?\s*(["']?)([\w-]+)\2[^\n]*\n)[\s\S]*?\n[ \t]*\3(?=\s|$)/g;

/** The line cut at operators into commands of words; quotes are taken off. */
function commandsOf(text: string): string[][] {
  const line = text.replaceAll(hereDocument, '$1').replaceAll(/<<-?\s*["']?[\w-]+["']?/g, '');
  const commands: string[][] = [[]];
  const pattern =
    /\s*(?:(?<operator>&&|\|\||[;|\n(){}]|&(?![>\d]))|(?<word>(?:(?:\d|&)?>>?\|?|"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s;|&(){}"'\\>])+))/gy;
  for (const match of line.matchAll(pattern)) {
    if (match.groups?.operator !== undefined) commands.push([]);
    else if (match.groups?.word !== undefined)
      for (const word of splitRedirects(match.groups.word)) commands.at(-1)?.push(unquoted(word));
  }
  return commands.filter((words) => words.length > 0);
}

/** `a>b` is two words. */
function splitRedirects(word: string): string[] {
  const match = /^([^"'>]*?[^"'>\d&])((?:\d|&)?>>?.*)$/s.exec(word);
  return match?.[1] && match[2] ? [match[1], match[2]] : [word];
}

function unquoted(word: string): string {
  return word.replaceAll(
    /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs,
    (_all, double, single, escaped) => double ?? single ?? escaped,
  );
}
