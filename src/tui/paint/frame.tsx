// The only place that touches Ink and React. Ink lays out one <Text> per row and hands the finished frame to the painter.
//
// Two things are not left to Ink. Its terminal handling (its `debug` mode writes each frame whole, at once): it moves
// relative to the cursor, clears when a frame is as tall as the window, and must not own the terminal while a run is
// attached. And the cells of a row: rows come styled and cut to width, and taking each of 12,000 cells apart again costs
// 20 ms a frame. So a row goes through Ink as a handle of a few characters, and is put back in when the frame comes out.
import { Box, type Instance, Text, render } from 'ink';
import type { ReactNode } from 'react';
import type { CursorPlace, PaintSize, Painter } from './painter.ts';

export interface FrameContent {
  readonly rows: readonly string[];
  readonly cursor: CursorPlace | null;
}

export class FrameRenderer {
  private readonly instance: Instance;
  private readonly terminal: InkTerminal;
  private readonly painter: Painter;
  private readonly handles = new RowHandles();
  private size: PaintSize;
  private cursor: CursorPlace | null = null;
  private closed = false;

  constructor(painter: Painter, size: PaintSize) {
    this.painter = painter;
    this.size = size;
    this.terminal = inkTerminal(size.rows, (frame) => this.paint(frame));
    this.instance = render(<Frame handles={[]} rows={size.rows} />, {
      stdout: this.terminal as unknown as NodeJS.WriteStream,
      stdin: silentInput as unknown as NodeJS.ReadStream,
      debug: true,
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
    });
  }

  /** Synchronous: when this returns the frame has been written. */
  show(content: FrameContent, size: PaintSize): void {
    this.terminal.rows = size.rows;
    this.size = size;
    this.cursor = content.cursor;
    const handles = this.handles.assign(content.rows.slice(0, size.rows));
    this.instance.rerender(<Frame handles={handles} rows={size.rows} />);
  }

  /** Somebody else wrote to the screen: the next frame is painted in full. */
  forget(): void {
    this.painter.forget();
  }

  close(): void {
    this.closed = true;
    this.instance.unmount();
  }

  private paint(frame: string): void {
    if (this.closed) return;
    const rows = frame.split('\n').map((line) => this.handles.row(line));
    this.painter.paint(rows, this.size, this.cursor);
  }
}

/** Stands for the content of a row: its number, and a version that changes when the content does. */
class RowHandles {
  private rows: readonly string[] = [];
  private versions: number[] = [];

  assign(rows: readonly string[]): string[] {
    this.versions = rows.map((row, y) => {
      const version = this.versions[y] ?? 0;
      return this.rows[y] === row ? version : (version + 1) % versionsPerRow;
    });
    this.rows = rows;
    return rows.map((_, y) => `${y}.${this.versions[y] ?? 0}`);
  }

  /** What a line of the finished frame stands for; a line without a handle is empty. */
  row(line: string): string {
    return line === '' ? '' : (this.rows[Number.parseInt(line, 10)] ?? '');
  }
}

/** A row may come back to an old version only long after React has forgotten it: it compares with the last one. */
const versionsPerRow = 1_000;

interface FrameProps {
  readonly handles: readonly string[];
  readonly rows: number;
}

function Frame({ handles, rows }: FrameProps): ReactNode {
  return (
    <Box height={rows}>
      <Text>{handles.join('\n')}</Text>
    </Box>
  );
}

interface InkTerminal {
  columns: number;
  rows: number;
  isTTY: true;
  writable: true;
  write(frame: string): boolean;
  on(): void;
  off(): void;
}

/** A handle has eight characters at the most. */
const inkColumns = 8;

function inkTerminal(rows: number, onFrame: (frame: string) => void): InkTerminal {
  return {
    columns: inkColumns,
    rows,
    isTTY: true,
    writable: true,
    write: (frame) => {
      onFrame(frame);
      return true;
    },
    on: () => {},
    off: () => {},
  };
}

/** Keys come from the input router; Ink reads nothing. */
const silentInput = { isTTY: false, on: () => {}, off: () => {} };
