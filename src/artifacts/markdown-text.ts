// Foreign text as inert Markdown: it shows as it is and means nothing.

/** One line of plain text; Markdown's own characters are escaped, control and reordering characters become blanks. */
export function inline(text: string): string {
  const line = oneLine(text).replace(/[\\`*_[\]<>#|!~&]/g, '\\$&');
  // At the start of a line or list item these would begin a list, a rule or a heading underline.
  return line.replace(/^([-+=])/, '\\$1').replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

/** A code span: the fence is longer than any run of backticks inside. */
export function code(text: string): string {
  const line = oneLine(text);
  if (line === '') return '';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((m) => m[0].length));
  const fence = '`'.repeat(longest + 1);
  const padding = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

/** For a cell of a table, where a code span cannot hold every text: a bar inside ends the cell. */
export function codeCell(text: string): string {
  return text.includes('|') ? inline(text) : code(text);
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

function oneLine(text: string): string {
  return text
    .replace(/[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
