import { formatSize } from '../format-size.js';
import { shortenHome } from '../home.js';
import { Canvas, textWidth } from './canvas.js';

const colours = { desk: 0x24303c, paper: 0xf4f1ea, ink: 0x1f2328, edge: 0x5b6b7b, title: 0x2f6f8f, white: 0xffffff, grey: 0x8a8f98, danger: 0xb3392f };

/** Where things are, in pixels. */
export const layout = {
  width: 640,
  height: 440,
  frame: { left: 60, top: 40, width: 520, height: 300 },
  list: { left: 80, top: 128, width: 480, height: 144 },
  rowHeight: 24,
};

/** The "Clear build cache" dialog with the temporary directories that would go. */
export function clearCacheDialog(entries, { home, scroll = 0 } = {}) {
  const { frame, list, rowHeight } = layout;
  const canvas = new Canvas(layout.width, layout.height, colours.desk);
  canvas.fill(frame.left, frame.top, frame.width, frame.height, colours.paper);
  canvas.frame(frame.left, frame.top, frame.width, frame.height, colours.edge);
  canvas.fill(frame.left, frame.top, frame.width, 36, colours.title);
  canvas.text(frame.left + 14, frame.top + 11, 'Clear build cache', colours.white);
  canvas.text(list.left, list.top - 32, `${entries.length} temporary directories will be cleared:`, colours.ink);
  button(canvas, frame.left + frame.width - 256, 'Cancel', colours.edge);
  button(canvas, frame.left + frame.width - 132, 'Clear', colours.danger);

  canvas.fill(list.left, list.top, list.width, list.height, colours.white);
  canvas.frame(list.left, list.top, list.width, list.height, colours.grey, 1);
  const room = Math.floor(list.height / rowHeight);
  let drawn = 0;
  for (const entry of entries) {
    listRow(canvas, list.top + drawn * rowHeight, entry, home);
    drawn += 1;
  }
  return { canvas, drawn, room, scroll };
}

function listRow(canvas, top, entry, home) {
  const { list } = layout;
  const size = formatSize(entry.bytes);
  canvas.text(list.left + 10, top + 6, shortenHome(entry.path, home).slice(0, 28), colours.ink);
  canvas.text(list.left + list.width - 24 - textWidth(size), top + 6, size, colours.ink);
}

function button(canvas, left, label, colour) {
  const top = layout.frame.top + layout.frame.height - 52;
  canvas.fill(left, top, 112, 36, colour);
  canvas.text(left + Math.floor((112 - textWidth(label)) / 2), top + 11, label, colours.white);
}
