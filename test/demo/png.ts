import { inflateSync } from 'node:zlib';

/** A complete PNG whose data has as many bytes as its size asks for. */
export function isPng(bytes: Buffer): boolean {
  if (
    bytes.toString('latin1', 1, 4) !== 'PNG' ||
    bytes.toString('latin1', bytes.length - 8, bytes.length - 4) !== 'IEND'
  ) {
    return false;
  }
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const data = bytes.subarray(41, 41 + bytes.readUInt32BE(33));
  return inflateSync(data).length === (width * 3 + 1) * height;
}
