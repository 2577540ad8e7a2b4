/** A path as it is shown: the home directory becomes `~`. */
export function shortenHome(path, home) {
  if (home && path.startsWith(home)) return `~${path.slice(home.length)}`;
  return path;
}
