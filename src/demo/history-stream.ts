// The sample's history as a stream for `git fast-import`: `sample/history.json` says which files each commit brings, and from
// which layer. A later branch starts from the one before it.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const sampleDir = fileURLToPath(new URL('sample', import.meta.url));

interface History {
  readonly author: string;
  readonly commits: readonly {
    readonly branch: string;
    readonly date: string;
    readonly layer: string;
    readonly message: string;
    /** Paths, or folders with a trailing slash. */
    readonly files: readonly string[];
  }[];
}

export async function historyStream(): Promise<Buffer> {
  const history = JSON.parse(await readFile(join(sampleDir, 'history.json'), 'utf8')) as History;
  const parts: Buffer[] = [];
  let mark = 0;
  let branch = '';
  for (const commit of history.commits) {
    const who = `${history.author} ${Date.parse(commit.date) / 1000} +0000`;
    const message = Buffer.from(`${commit.message}\n`);
    const from = mark === 0 ? '' : `from :${mark}\n`;
    if (commit.branch !== branch && mark > 0)
      parts.push(Buffer.from(`reset refs/heads/${commit.branch}\nfrom :${mark}\n\n`));
    branch = commit.branch;
    mark += 1;
    parts.push(
      Buffer.from(`commit refs/heads/${branch}\nmark :${mark}\nauthor ${who}\ncommitter ${who}\n`),
      data(message),
      Buffer.from(from),
    );
    for (const file of await filesOf(commit.layer, commit.files)) {
      const mode = file.path.startsWith('bin/') ? '100755' : '100644';
      parts.push(Buffer.from(`M ${mode} inline ${file.path}\n`), data(await readFile(file.source)));
    }
    parts.push(Buffer.from('\n'));
  }
  return Buffer.concat(parts);
}

function data(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
}

async function filesOf(layer: string, wanted: readonly string[]): Promise<{ path: string; source: string }[]> {
  const root = join(sampleDir, layer);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((source) => ({ source, path: productPath(relative(root, source)) }))
    .filter(({ path }) => wanted.some((name) => (name.endsWith('/') ? path.startsWith(name) : path === name)))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** An ignore file in our own tree would act on our own repository, so the sample's has no leading dot there. */
function productPath(path: string): string {
  return path === 'gitignore' ? '.gitignore' : path;
}
