const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `30d`, `12h`, `1w` in milliseconds. */
export function parseDuration(text) {
  const match = /^(\d+)([mhdw])/.exec(text);
  if (match === null) throw new Error(`not a duration: ${text}`);
  return Number(match[1]) * unitMs[match[2]];
}

/** Milliseconds as `1w 2d 3h`. */
export function formatDuration(ms) {
  const parts = [];
  let rest = ms;
  for (const unit of ['w', 'd', 'h', 'm']) {
    const count = Math.floor(rest / unitMs[unit]);
    if (count > 0) parts.push(`${count}${unit}`);
    rest -= count * unitMs[unit];
  }
  return parts.length === 0 ? '0m' : parts.join(' ');
}
