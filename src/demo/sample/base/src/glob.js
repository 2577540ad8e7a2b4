/** Turns a pattern with `*`, `**` and `?` into a test for a name. */
export function globToTest(pattern) {
  let source = '';
  for (let i = 0; i < pattern.length; i += 1) {
    const char = pattern[i];
    if (char === '*' && pattern[i + 1] === '*') {
      source += '.*';
      i += 1;
    } else if (char === '*') {
      source += '[^/]*';
    } else if (char === '?') {
      source += '[^/]';
    } else {
      source += char;
    }
  }
  const regex = new RegExp(`^${source}$`);
  return (name) => regex.test(name);
}
