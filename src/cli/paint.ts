// Colour for people at a terminal, and only for them: pipes, NO_COLOR and dumb terminals get plain text.

const reset = '\u001b[0m';
const codes = { bold: '\u001b[1m', dim: '\u001b[2m', red: '\u001b[31m', green: '\u001b[32m', yellow: '\u001b[33m' };

export type Paint = { readonly [Name in keyof typeof codes]: (text: string) => string };

export const plain: Paint = paint(() => (text) => text);
export const coloured: Paint = paint((code) => (text) => (text === '' ? '' : `${code}${text}${reset}`));

export function paintFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  const wanted = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  return wanted ? coloured : plain;
}

function paint(make: (code: string) => (text: string) => string): Paint {
  return {
    bold: make(codes.bold),
    dim: make(codes.dim),
    red: make(codes.red),
    green: make(codes.green),
    yellow: make(codes.yellow),
  };
}
