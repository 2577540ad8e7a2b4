/** `key = value` lines; `#` starts a comment line; a key that comes twice keeps its last value. */
export function parseConf(text) {
  const values = {};
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [key, value] = line.split('=');
    if (value === undefined) throw new Error(`line ${index + 1}: no "=" in "${line}"`);
    values[key.trim()] = value.trim();
  }
  return values;
}
