const flags = new Set(['dry-run', 'json']);

/** `--name value`, `--flag` and plain words. */
export function readOptions(argv) {
  const options = {};
  const words = [];
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i];
    if (!word.startsWith('--')) {
      words.push(word);
    } else if (flags.has(word.slice(2))) {
      options[word.slice(2)] = true;
    } else {
      options[word.slice(2)] = argv[i + 1];
      i += 1;
    }
  }
  return { options, words };
}
