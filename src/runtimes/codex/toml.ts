export type TomlValue = string | number | boolean | readonly TomlValue[] | { readonly [key: string]: TomlValue };

/** One value on one line, as `-c key=value` takes it. */
export function toml(value: TomlValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map((each: TomlValue) => toml(each)).join(',')}]`;
  return `{${Object.entries(value)
    .map(([key, each]) => `${/^[\w-]+$/.test(key) ? key : quoted(key)}=${toml(each as TomlValue)}`)
    .join(',')}}`;
}

/** JSON's escapes are TOML's, but for DEL, which TOML wants escaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
