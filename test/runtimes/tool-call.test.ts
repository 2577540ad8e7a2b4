import { describe, expect, it } from 'vitest';
import { shellWrites } from '../../src/runtimes/shell-writes.ts';
import { judgeToolCall, type SessionRights } from '../../src/runtimes/tool-call.ts';

const rights: SessionRights = {
  writes: 'scratch',
  worktree: '/w',
  writable: ['/home/a/artifacts', '/tmp'],
  isProduct: (path) => path.startsWith('src/') || path === 'package.json',
  stage: 'diagnose',
};
const bash = (command: string) => judgeToolCall({ name: 'Bash', paths: [], command, edits: false }, rights).verdict;
const edit = (path: string, more: Partial<SessionRights> = {}) =>
  judgeToolCall({ name: 'Edit', paths: [path], command: null, edits: true }, { ...rights, ...more }).verdict;

describe('judgeToolCall', () => {
  it('refuses an edit of product code before the gate, and says so', () => {
    expect(edit('src/a.js')).toBe('refused');
    expect(edit('/w/src/new.js')).toBe('refused');
    expect(edit('lib/../src/a.js')).toBe('refused');
  });
  it('lets scratch and artifacts be written', () => {
    expect(edit('scratch.txt')).toBe('no-objection');
    expect(edit('/home/a/artifacts/idea.md')).toBe('no-objection');
  });
  it('refuses edits elsewhere on the machine', () => expect(edit('/home/a/.bashrc')).toBe('refused'));
  it('lets product code change after the gate, but never the repository itself', () => {
    expect(edit('src/a.js', { writes: 'product' })).toBe('no-objection');
    expect(edit('.git/config', { writes: 'product' })).toBe('refused');
  });
  it.each([
    'echo x > src/a.js',
    'echo x >>src/a.js',
    'cat a|tee -a src/a.js',
    'cd . && sed -i s/a/b/ src/a.js',
    'rm -rf src/a.js',
    'cp /tmp/x src/a.js',
    'printf x>src/a.js',
    'git commit -m x',
    'git -C /w push',
    'FOO=1 git checkout -- .',
    'bash -c x; touch "src/a b.js"',
  ])('refuses %j', (command) => expect(bash(command)).toBe('refused'));
  it.each([
    'npm test 2>&1 | tail -5',
    'node src/cli.js > /tmp/out 2>/dev/null',
    'git log --oneline; git diff HEAD~1; git status',
    'cp src/a.js /tmp/x',
    'sed -n 1,5p src/a.js',
    'lattice evidence run -- npm test',
    "cat > $GATEHOUSE_ARTIFACTS/diagnosis.md <<'EOF'\nthen git commit\n> src/a.js\nEOF\nlattice check",
    'echo "a > src/a.js"',
  ])('has no objection to %j', (command) => expect(bash(command)).toBe('no-objection'));
});

describe('shellWrites', () => {
  it('names the targets', () => {
    expect(shellWrites('a > x && b >> "y z"; c 2> err | tee t').paths).toEqual(['x', 'y z', 'err', 't']);
  });
});
