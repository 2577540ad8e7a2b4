import { describe, expect, it } from 'vitest';
import { compareLink, parseRemote, withoutCredentials } from '../../src/git/compare-link.ts';

const commits = {
  baseBranch: 'develop',
  reviewBranch: 'gatehouse-review/T-1',
  baseCommit: 'a'.repeat(40),
  reviewCommit: 'b'.repeat(40),
};

describe('the compare link', () => {
  it.each([
    ['git@github.com:acme/shop.git', 'https://github.com/acme/shop/compare/develop...gatehouse-review/T-1'],
    ['https://x:tok@github.com/acme/shop', 'https://github.com/acme/shop/compare/develop...gatehouse-review/T-1'],
    [
      'ssh://git@gitlab.acme.org:2222/a/b/shop.git',
      'https://gitlab.acme.org/a/b/shop/-/compare/develop...gatehouse-review/T-1',
    ],
    [
      'https://bitbucket.org/acme/shop.git',
      'https://bitbucket.org/acme/shop/branches/compare/gatehouse-review/T-1%0Ddevelop',
    ],
    ['https://gitea.acme.org/acme/shop.git', 'https://gitea.acme.org/acme/shop/compare/develop...gatehouse-review/T-1'],
    [
      'git@ssh.dev.azure.com:v3/acme/store/shop',
      'https://dev.azure.com/acme/store/_git/shop/branchCompare?baseVersion=GBdevelop&targetVersion=GBgatehouse-review%2FT-1',
    ],
  ])('%s', (remoteUrl, link) => {
    expect(compareLink({ ...commits, remoteUrl })).toBe(link);
  });

  it.each([null, '/srv/git/shop.git', 'file:///srv/shop.git', 'https://git.acme.org/shop.git', '../origin.git'])(
    'is the git range for %s',
    (remoteUrl) => {
      expect(compareLink({ ...commits, remoteUrl })).toBe('git diff aaaaaaaaaaaa..bbbbbbbbbbbb');
    },
  );

  it('never shows credentials', () => {
    expect(withoutCredentials('https://user:secret@host.org/a.git')).toBe('https://host.org/a.git');
    expect(parseRemote('https://user:secret@host.org/a.git')).toEqual({ host: 'host.org', path: 'a' });
  });
});
