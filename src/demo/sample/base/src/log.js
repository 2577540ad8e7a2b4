/** One record per line: time, level, event, then `key=value` pairs. Line-based tools read these files. */
export function logLine(time, level, event, fields = {}) {
  const pairs = Object.entries(fields).map(([key, value]) => `${key}=${quote(String(value))}`);
  return [time.toISOString(), level, event, ...pairs].join(' ');
}

function quote(text) {
  return text.includes(' ') ? `"${text}"` : text;
}
