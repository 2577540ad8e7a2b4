import { glyphOf, glyphWidth } from './glyphs.js';

/** An RGB picture in memory. Colours are `0xrrggbb`; whatever falls outside is dropped. */
export class Canvas {
  constructor(width, height, background) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height * 3);
    this.fill(0, 0, width, height, background);
  }

  fill(left, top, width, height, colour) {
    for (let y = Math.max(0, top); y < Math.min(this.height, top + height); y += 1) {
      for (let x = Math.max(0, left); x < Math.min(this.width, left + width); x += 1) this.set(x, y, colour);
    }
  }

  frame(left, top, width, height, colour, line = 2) {
    this.fill(left, top, width, line, colour);
    this.fill(left, top + height - line, width, line, colour);
    this.fill(left, top, line, height, colour);
    this.fill(left + width - line, top, line, height, colour);
  }

  text(left, top, text, colour, scale = 2) {
    let x = left;
    for (const char of text) {
      for (const [row, bits] of glyphOf(char).entries()) {
        for (let column = 0; column < glyphWidth; column += 1) {
          if (bits & (1 << (glyphWidth - 1 - column))) this.fill(x + column * scale, top + row * scale, scale, scale, colour);
        }
      }
      x += (glyphWidth + 1) * scale;
    }
  }

  set(x, y, colour) {
    const at = (y * this.width + x) * 3;
    this.pixels[at] = colour >> 16;
    this.pixels[at + 1] = (colour >> 8) & 255;
    this.pixels[at + 2] = colour & 255;
  }

  at(x, y) {
    const at = (y * this.width + x) * 3;
    return (this.pixels[at] << 16) | (this.pixels[at + 1] << 8) | this.pixels[at + 2];
  }
}

/** How many pixels a text takes. */
export function textWidth(text, scale = 2) {
  return [...text].length * (glyphWidth + 1) * scale - scale;
}
