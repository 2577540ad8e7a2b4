// Where a person can look at the review branch in a browser. Known forges by their URL; else the git range.

export interface Compared {
  readonly remoteUrl: string | null;
  readonly baseBranch: string;
  readonly reviewBranch: string;
  readonly baseCommit: string;
  readonly reviewCommit: string;
}

export function compareLink(compared: Compared): string {
  const range = `git diff ${compared.baseCommit.slice(0, 12)}..${compared.reviewCommit.slice(0, 12)}`;
  const repository = compared.remoteUrl === null ? null : parseRemote(compared.remoteUrl);
  if (repository === null) return range;
  const { host, path } = repository;
  const web = `https://${host}/${path}`;
  const [base, head] = [encodeRef(compared.baseBranch), encodeRef(compared.reviewBranch)];
  if (/(^|\.)github\./.test(host)) return `${web}/compare/${base}...${head}`;
  if (/(^|\.)gitlab\./.test(host)) return `${web}/-/compare/${base}...${head}`;
  // Bitbucket reads source, then destination, parted by a carriage return.
  if (/(^|\.)bitbucket\./.test(host)) return `${web}/branches/compare/${head}%0D${base}`;
  if (host === 'dev.azure.com' || host.endsWith('.visualstudio.com'))
    return `${web}/branchCompare?baseVersion=GB${encodeURIComponent(compared.baseBranch)}&targetVersion=GB${encodeURIComponent(compared.reviewBranch)}`;
  if (/(^|\.)(gitea|forgejo|codeberg)\./.test(host)) return `${web}/compare/${base}...${head}`;
  return range;
}

/** Host and path of a remote that a browser could show; credentials in the URL are left out. */
export function parseRemote(url: string): { readonly host: string; readonly path: string } | null {
  const scp = /^(?:[^@/:]+@)?([A-Za-z0-9.-]+):(?!\/\/)(.+)$/.exec(url);
  const parsed = scp === null ? /^(?:https?|ssh|git):\/\/(?:[^@/]+@)?([A-Za-z0-9.-]+)(?::\d+)?\/(.+)$/.exec(url) : scp;
  if (parsed === null) return null;
  const [, host = '', rest = ''] = parsed;
  if (!host.includes('.')) return null;
  return normalized(
    host,
    rest
      .replace(/^\/+/, '')
      .replace(/\/+$/, '')
      .replace(/\.git$/, ''),
  );
}

/** The URL without a user name or password. */
export function withoutCredentials(url: string): string {
  return url.replace(/^([a-z+]+:\/\/)[^@/]+@/i, '$1');
}

/** Azure's SSH addresses name the parts of the web address in another way. */
function normalized(host: string, path: string): { host: string; path: string } {
  const azure = /^v3\/([^/]+)\/([^/]+)\/(.+)$/.exec(path);
  if (host === 'ssh.dev.azure.com' && azure !== null)
    return { host: 'dev.azure.com', path: `${azure[1]}/${azure[2]}/_git/${azure[3]}` };
  return { host, path };
}

function encodeRef(branch: string): string {
  return branch.split('/').map(encodeURIComponent).join('/');
}
