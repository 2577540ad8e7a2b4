// The built commands on a run's folder: no host, no agent.
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runBuilt } from '../support/run-program.ts';
import { type TemporaryHome, temporaryHome } from '../support/temporary-home.ts';
import { key, makeRunFolder, run, secret, sha } from './support/run-folder.ts';

const gatehouse = (home: TemporaryHome, ...args: string[]) =>
  runBuilt('gatehouse', args, { env: home.env, cwd: home.root });

interface Manifest {
  files: { path: string; sha256: string; sizeBytes: number; original: { sha256: string } | null }[];
  notes: string[];
}

function unpack(home: TemporaryHome, file = 'run.tgz'): { folder: string; manifest: Manifest } {
  const folder = join(home.root, 'unpacked');
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', join(home.root, file), '-C', folder]);
  const manifest = JSON.parse(readFileSync(join(folder, run, 'manifest.json'), 'utf8')) as Manifest;
  return { folder: join(folder, run), manifest };
}

/** What an attacker would do: change files, and where asked the manifest with them. */
function packAgain(home: TemporaryHome, change: (folder: string, manifest: Manifest) => void): void {
  const { folder, manifest } = unpack(home);
  change(folder, manifest);
  for (const file of manifest.files) {
    const bytes = readFileSync(join(folder, file.path));
    file.sha256 = sha(bytes);
    file.sizeBytes = bytes.length;
  }
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  execFileSync('tar', ['-czf', join(home.root, 'changed.tgz'), '-C', join(folder, '..'), run]);
}

async function bundled(home: TemporaryHome, options: Parameters<typeof makeRunFolder>[1] = {}, ...args: string[]) {
  const place = makeRunFolder(home.gatehouseHome, options);
  const made = await gatehouse(home, 'bundle', run, '-o', 'run.tgz', ...args);
  expect(made.stderr).toBe('');
  expect(made.code).toBe(0);
  return { place, stdout: made.stdout };
}

describe('bundle', () => {
  test('holds every file of the run byte by byte, is private, and leaves nothing beside it', async () => {
    await using home = temporaryHome();
    const { place } = await bundled(home);
    expect(statSync(join(home.root, 'run.tgz')).mode & 0o777).toBe(0o600);
    expect(readdirSync(home.root).filter((name) => name.includes('bundle'))).toEqual([]);
    const { folder, manifest } = unpack(home);
    const expected = ['artifacts/idea.md', 'evidence/E1-aa.log', 'evidence/before.png', 'journal.jsonl', 'run.json'];
    for (const path of [...expected, 'state.json', 'session.cast', 'session.index.jsonl']) {
      const original = readFileSync(join(place.dir, path));
      expect({ path, sha256: sha(readFileSync(join(folder, path))) }).toEqual({ path, sha256: sha(original) });
      expect(manifest.files.find((file) => file.path === path)?.sha256).toBe(sha(original));
    }
  });

  test('follows no link that an agent has left', async () => {
    await using home = temporaryHome();
    const place = makeRunFolder(home.gatehouseHome);
    writeFileSync(join(home.root, 'private'), 'the operator alone reads this');
    symlinkSync(join(home.root, 'private'), join(place.artifacts, 'notes.md'));
    execFileSync('mkfifo', [join(place.artifacts, 'pipe')]);
    writeFileSync(join(place.evidence, 'huge'), '');
    truncateSync(join(place.evidence, 'huge'), 4 * 1024 ** 4);
    writeFileSync(join(place.evidence, 'two\nlines'), 'x');
    const made = await gatehouse(home, 'bundle', run, '-o', 'run.tgz');
    expect(made.code).toBe(0);
    expect(made.stdout).toContain('artifacts/notes.md is not a plain file');
    const { folder, manifest } = unpack(home);
    expect(readdirSync(join(folder, 'artifacts'))).toEqual(['diagnosis.md', 'idea.md']);
    expect(manifest.notes).toHaveLength(3);
    expect(made.stdout).toContain('evidence/huge is larger than the engine takes in');
    expect(readFileSync(join(folder, 'evidence', 'two\nlines'), 'utf8')).toBe('x');
  });

  test('masks secrets, says where, and lists the hash of the original', async () => {
    await using home = temporaryHome();
    const { place, stdout } = await bundled(home, { leaky: true });
    expect(stdout).toContain('secrets masked in evidence/E1-aa.log');
    const { folder, manifest } = unpack(home);
    expect(execFileSync('grep', ['-rlc', 'hello\\|TOKEN', folder]).toString()).not.toBe('');
    for (const name of ['evidence/E1-aa.log', 'session.cast']) {
      expect(readFileSync(join(folder, name), 'utf8')).not.toContain(secret);
      const file = manifest.files.find(({ path }) => path === name);
      expect(file?.original?.sha256).toBe(sha(readFileSync(join(place.dir, name))));
      expect(file?.sha256).toBe(sha(readFileSync(join(folder, name))));
    }
    const cast = readFileSync(join(folder, 'session.cast'), 'utf8').trimEnd().split('\n');
    expect(cast.map((line) => typeof JSON.parse(line))).toEqual(['object', 'object', 'object', 'object']);
    expect((await gatehouse(home, 'verify', 'run.tgz')).code).toBe(0);
  });

  test('keeps secrets when asked to', async () => {
    await using home = temporaryHome();
    await bundled(home, { leaky: true }, '--no-mask');
    expect(readFileSync(join(unpack(home).folder, 'evidence/E1-aa.log'), 'utf8')).toContain(secret);
  });

  test('a run that is not there is named, and a folder above is none', async () => {
    await using home = temporaryHome();
    makeRunFolder(home.gatehouseHome);
    for (const name of ['other', '..', '../runs', '.']) {
      const result = await gatehouse(home, 'bundle', name, '-o', 'x.tgz');
      expect(result).toMatchObject({ code: 1, stdout: '' });
      expect(result.stderr).toContain('there is no run');
    }
  });
});

describe('verify', () => {
  test('says what was checked, and what cannot be said without the key', async () => {
    await using home = temporaryHome();
    await bundled(home);
    const result = await gatehouse(home, 'verify', 'run.tgz');
    expect(result.stderr).toBe('');
    expect(result.code).toBe(0);
    expect(result.stdout).toMatch(/^ok +journal +8 entries follow from one another$/m);
    expect(result.stdout).toMatch(/^ok +state +it equals the last entry of the journal \(8\), implement$/m);
    expect(result.stdout).toMatch(/^ok +approvals +1 \(0 stale\)/m);
    expect(result.stdout).toMatch(/^open +seals/m);
  });

  test.each<[string, RegExp, (folder: string, manifest: Manifest) => void]>([
    [
      'an entry of the journal is changed',
      /^FAILED +journal +line 4 breaks the chain$/m,
      (folder) => edit(join(folder, 'journal.jsonl'), '"exitCode":1', '"exitCode":0'),
    ],
    [
      'an entry is taken out of the journal',
      /^FAILED +journal +line 3 breaks the chain$/m,
      (folder) => {
        const lines = readFileSync(join(folder, 'journal.jsonl'), 'utf8').split('\n');
        writeFileSync(join(folder, 'journal.jsonl'), lines.toSpliced(2, 1).join('\n'));
      },
    ],
    [
      'the end of the journal is cut off',
      /^FAILED +state +it names an entry that the journal does not have$/m,
      (folder) => {
        const lines = readFileSync(join(folder, 'journal.jsonl'), 'utf8').split('\n');
        writeFileSync(join(folder, 'journal.jsonl'), lines.toSpliced(-2, 1).join('\n'));
      },
    ],
    [
      'the state is changed',
      /^FAILED +state +it differs from what the engine decided in entry 8$/m,
      (folder) => edit(join(folder, 'state.json'), '"title": "Totals"', '"title": "Other"'),
    ],
    [
      'the approved proposal is replaced',
      /^FAILED +approvals +development round 1 by Ada is in force for another artifacts\/idea\.md/m,
      (folder) => writeFileSync(join(folder, 'artifacts/idea.md'), '# Another idea\n'),
    ],
    [
      'evidence is replaced',
      /^FAILED +evidence +E1: evidence\/E1-aa\.log is not what was recorded$/m,
      (folder) => writeFileSync(join(folder, 'evidence/E1-aa.log'), 'all tests passed\n'),
    ],
    [
      'a file is added',
      /^FAILED +files +extra\.txt is there but not listed$/m,
      (folder) => writeFileSync(join(folder, 'extra.txt'), 'x'),
    ],
    [
      'a file is taken away',
      /^FAILED +files +artifacts\/diagnosis\.md is listed but not there$/m,
      (folder, manifest) => {
        const gone = manifest.files.find((file) => file.path === 'artifacts/diagnosis.md');
        rmSync(join(folder, 'artifacts/diagnosis.md'));
        // Left in the list, though it cannot be hashed again.
        manifest.files = manifest.files.filter((file) => file !== gone);
        Object.defineProperty(manifest, 'toJSON', {
          value() {
            return { ...manifest, files: [...manifest.files, gone] };
          },
        });
      },
    ],
  ])('fails and names the check when %s, even with a new manifest', async (_what, line, change) => {
    await using home = temporaryHome();
    await bundled(home);
    packAgain(home, change);
    const result = await gatehouse(home, 'verify', 'changed.tgz');
    expect(result.stdout).toMatch(line);
    // This check and no other.
    const name = /FAILED \+(\w+)/.exec(line.source)?.[1] ?? '';
    expect(result.stderr.split('\n')[0]).toBe(`gatehouse: changed.tgz does not verify: ${name}`);
    expect(result.code).toBe(1);
  });

  test('a file that was changed on the way fails by its hash', async () => {
    await using home = temporaryHome();
    await bundled(home);
    const { folder } = unpack(home);
    writeFileSync(join(folder, 'session.cast'), 'x');
    execFileSync('tar', ['-czf', join(home.root, 'changed.tgz'), '-C', join(folder, '..'), run]);
    const result = await gatehouse(home, 'verify', 'changed.tgz');
    expect(result.stdout).toMatch(/^FAILED +files +session\.cast is not the file that was bundled/m);
    expect(result.code).toBe(1);
  });

  test('a home that has the key tells whether its engine wrote the journal', async () => {
    await using home = temporaryHome();
    await bundled(home);
    const keyFile = join(home.gatehouseHome, 'engine.key');
    writeFileSync(keyFile, `${key.toString('hex')}\n`, { mode: 0o600 });
    const own = await gatehouse(home, 'verify', 'run.tgz');
    expect(own.stdout).toMatch(/^ok +seals +the engine of this home sealed all 8 entries$/m);
    writeFileSync(keyFile, `${'ab'.repeat(32)}\n`);
    const foreign = await gatehouse(home, 'verify', 'run.tgz');
    expect(foreign.stdout).toMatch(/^open +seals +the engine of this home did not write it/m);
    expect(foreign.code).toBe(0);
  });

  test('with a signers file an approval that nobody signed does not verify', async () => {
    await using home = temporaryHome();
    await bundled(home);
    writeFileSync(join(home.root, 'signers'), '');
    const result = await gatehouse(home, 'verify', 'run.tgz', '--signers', 'signers');
    expect(result.stdout).toMatch(/^FAILED +signatures +development round 1 by Ada is not signed$/m);
    expect(result.code).toBe(1);
    expect((await gatehouse(home, 'verify', 'run.tgz', '--signers', 'none')).stderr).toContain('there is no file none');
  });

  test('a journal that had to be masked is called open, not checked', async () => {
    await using home = temporaryHome();
    await bundled(home, { leakyState: true });
    expect(readFileSync(join(unpack(home).folder, 'journal.jsonl'), 'utf8')).not.toContain(secret);
    const result = await gatehouse(home, 'verify', 'run.tgz');
    expect(result.stdout).toMatch(
      /^open +journal +masked, so its chain cannot be followed; before, 8 entries were sound/m,
    );
    expect(result.stdout).toMatch(/^open +state/m);
    expect(result.code).toBe(0);
  });

  test('links and what is no archive are refused', async () => {
    await using home = temporaryHome();
    await bundled(home);
    const { folder } = unpack(home);
    symlinkSync('/etc/passwd', join(folder, 'artifacts/link.md'));
    execFileSync('tar', ['-czf', join(home.root, 'linked.tgz'), '-C', join(folder, '..'), run]);
    expect((await gatehouse(home, 'verify', 'linked.tgz')).stdout).toMatch(
      /^FAILED +files .*link\.md \(SymbolicLink\)/m,
    );
    writeFileSync(join(home.root, 'plain.txt'), 'no archive at all\n'.repeat(100));
    for (const name of ['plain.txt', 'missing.tgz']) {
      const result = await gatehouse(home, 'verify', name);
      expect(result.code).toBe(1);
      expect(result.stderr).toMatch(/^gatehouse: (plain\.txt: not |missing\.tgz: there is no)/);
    }
    writeFileSync(join(home.root, 'torn.tgz'), readFileSync(join(home.root, 'run.tgz')).subarray(0, -200));
    expect((await gatehouse(home, 'verify', 'torn.tgz')).code).toBe(1);
  });
});

function edit(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}
