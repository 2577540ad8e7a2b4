import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { Canvas } from '../src/picture/canvas.js';
import { clearCacheDialog } from '../src/picture/clear-cache-dialog.js';
import { encodePng } from '../src/picture/png.js';

test('a canvas becomes a PNG with the same pixels', () => {
  const canvas = new Canvas(3, 2, 0x102030);
  canvas.fill(1, 0, 1, 1, 0xff0000);
  const png = encodePng(canvas);
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  assert.equal(png.readUInt32BE(16), 3);
  const raw = inflateSync(png.subarray(41, png.length - 16));
  assert.deepEqual([...raw.subarray(1, 7)], [0x10, 0x20, 0x30, 0xff, 0, 0]);
});

test('a short list stands in the dialog', () => {
  const { drawn, room } = clearCacheDialog([{ path: '/tmp/a', bytes: 1 }]);
  assert.equal(drawn, 1);
  assert.ok(room > 1);
});
