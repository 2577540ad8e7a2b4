// Is a file really an image, and how large is it? Enough of each format is read that a renamed text, a torn download or a
// header without a picture is refused; for PNG the pixel data is inflated.
import { inflateSync } from 'node:zlib';

export interface ImageFacts {
  readonly format: 'png' | 'jpeg' | 'gif' | 'webp';
  readonly width: number;
  readonly height: number;
}

/** A picture of an interface is never larger; a header may claim anything. */
const maxSide = 32_768;
const maxPixels = 100_000_000;

export function readImage(data: Buffer): ImageFacts | null {
  let facts: ImageFacts | null = null;
  try {
    facts = readPng(data) ?? readJpeg(data) ?? readGif(data) ?? readWebp(data);
  } catch {
    return null;
  }
  if (facts === null || facts.width < 1 || facts.height < 1) return null;
  if (facts.width > maxSide || facts.height > maxSide || facts.width * facts.height > maxPixels) return null;
  return facts;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Samples per pixel of each colour type. */
const pngSamples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function readPng(data: Buffer): ImageFacts | null {
  if (!data.subarray(0, 8).equals(pngSignature) || data.toString('latin1', 12, 16) !== 'IHDR') return null;
  const [width, height] = [data.readUInt32BE(16), data.readUInt32BE(20)];
  const [depth, samples] = [data.readUInt8(24), pngSamples[data.readUInt8(25)]];
  if (samples === undefined || width * height > maxPixels) return null;
  const pixels: Buffer[] = [];
  for (let at = 8; at + 12 <= data.length; ) {
    const length = data.readUInt32BE(at);
    const type = data.toString('latin1', at + 4, at + 8);
    if (at + 12 + length > data.length) return null;
    if (type === 'IDAT') pixels.push(data.subarray(at + 8, at + 8 + length));
    if (type === 'IEND') {
      const rowBytes = Math.ceil((width * samples * depth) / 8) + 1;
      const limit = rowBytes * height * 2 + 1024;
      const inflated = inflateSync(Buffer.concat(pixels), { maxOutputLength: limit });
      // Interlaced pictures have more row starts, never fewer bytes.
      return inflated.length >= (rowBytes - 1) * height ? { format: 'png', width, height } : null;
    }
    at += 12 + length;
  }
  return null;
}

function readJpeg(data: Buffer): ImageFacts | null {
  if (data.readUInt16BE(0) !== 0xffd8) return null;
  // Cameras and editors leave a few bytes after the end; a torn file has no end at all.
  const end = data.lastIndexOf(Buffer.from([0xff, 0xd9]));
  if (end === -1 || end < data.length - 64) return null;
  for (let at = 2; at + 9 < data.length; ) {
    if (data.readUInt8(at) !== 0xff) return null;
    const marker = data.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { format: 'jpeg', height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
    at += 2 + data.readUInt16BE(at + 2);
  }
  return null;
}

function readGif(data: Buffer): ImageFacts | null {
  if (!/^GIF8[79]a$/.test(data.toString('latin1', 0, 6))) return null;
  if (data.readUInt8(data.length - 1) !== 0x3b) return null;
  return { format: 'gif', width: data.readUInt16LE(6), height: data.readUInt16LE(8) };
}

function readWebp(data: Buffer): ImageFacts | null {
  if (data.toString('latin1', 0, 4) !== 'RIFF' || data.toString('latin1', 8, 12) !== 'WEBP') return null;
  if (data.readUInt32LE(4) + 8 > data.length) return null;
  const kind = data.toString('latin1', 12, 16);
  if (kind === 'VP8X') return webp(data.readUIntLE(24, 3) + 1, data.readUIntLE(27, 3) + 1);
  if (kind === 'VP8 ') return webp(data.readUInt16LE(26) & 0x3fff, data.readUInt16LE(28) & 0x3fff);
  if (kind !== 'VP8L') return null;
  const bits = data.readUInt32LE(21);
  return webp((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1);
}

function webp(width: number, height: number): ImageFacts {
  return { format: 'webp', width, height };
}
