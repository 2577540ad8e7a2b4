const units = ['B', 'KB', 'MB', 'GB', 'TB'];

/** A size as people read it: `512 B`, `1.5 MB`. */
export function formatSize(bytes) {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return unit === 0 ? `${value} B` : `${value.toFixed(1)} ${units[unit]}`;
}
