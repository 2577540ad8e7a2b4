/** What is said of output that came too fast to be shown. */
export function skippedText(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB not shown; the recording has all of it`;
}
