// Times as a person reads them, in the time zone of whoever looks. JSON and files keep ISO times.

/** `2026-01-02 03:04:05`, local; empty when it is no time (transcripts of others hold anything). */
export function localTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
