/** How many bytes at the end begin a UTF-8 character that is not complete yet (0 to 3). */
export function incompleteTail(bytes: Uint8Array): number {
  const length = bytes.length;
  for (let back = 1; back <= 3 && back <= length; back += 1) {
    const byte = bytes[length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < sequenceLength(byte) ? back : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return lead <= 0xf4 ? 4 : 1;
  return lead >= 0xe0 ? 3 : 2;
}
