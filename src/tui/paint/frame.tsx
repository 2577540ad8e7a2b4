// The only place that touches Ink and React. Ink lays out one <Text> per row and hands the finished frame to the painter.
//
// Ink's own terminal handling is not used (its `debug` mode writes each frame whole, at once): it moves relative to the
// cursor and clears when a frame is as tall as the window, and must not own the terminal while a run is attached.
import { Box, type Instance, Text, render } from 'ink';
import { Component, type ReactNode, memo } from 'react';
import type { CursorPlace, PaintSize, Painter } from './painter.ts';

export interface FrameContent {
  readonly rows: readonly string[];
  readonly cursor: CursorPlace | null;
}

export class FrameRenderer {
  private readonly instance: Instance;
  private readonly terminal: InkTerminal;
  private readonly painter: Painter;
  private cursor: CursorPlace | null = null;
  private closed = false;

  constructor(painter: Painter, size: PaintSize) {
    this.painter = painter;
    this.terminal = inkTerminal(size, (frame) => this.paint(frame));
    this.instance = render(<Frame rows={[]} size={size} />, {
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
    this.terminal.columns = size.cols;
    this.terminal.rows = size.rows;
    this.cursor = content.cursor;
    this.instance.rerender(<Frame rows={content.rows.slice(0, size.rows)} size={size} />);
  }

  close(): void {
    this.closed = true;
    this.instance.unmount();
  }

  private paint(frame: string): void {
    if (this.closed) return;
    this.painter.paint(frame.split('\n'), { cols: this.terminal.columns, rows: this.terminal.rows }, this.cursor);
  }
}

interface FrameProps {
  readonly rows: readonly string[];
  readonly size: PaintSize;
}

function Frame({ rows, size }: FrameProps): ReactNode {
  return (
    <Boundary>
      <Box flexDirection="column" width={size.cols} height={size.rows}>
        {rows.map((text, y) => (
          // A row is its place on the screen: the index is its identity.
          <Row key={String(y)} text={text} />
        ))}
      </Box>
    </Boundary>
  );
}

/** An empty <Text> has no height; a space keeps its row. */
const Row = memo(({ text }: { readonly text: string }) => <Text wrap="truncate">{text === '' ? ' ' : text}</Text>);

class Boundary extends Component<{ readonly children: ReactNode }, { readonly failure: string | null }> {
  override state: { failure: string | null } = { failure: null };

  static getDerivedStateFromError(error: unknown): { failure: string } {
    return { failure: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    if (this.state.failure === null) return this.props.children;
    return <Text>The screen could not be drawn: {this.state.failure}. Press q; runs go on.</Text>;
  }
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

function inkTerminal(size: PaintSize, onFrame: (frame: string) => void): InkTerminal {
  return {
    columns: size.cols,
    rows: size.rows,
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
