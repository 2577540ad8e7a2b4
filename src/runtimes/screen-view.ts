// What an adapter may look at of a screen, and what it may say about it.

export interface ScreenView {
  /** The visible rows, top first, without trailing blanks. */
  readonly rows: readonly string[];
  /** Columns of the whole screen. */
  readonly cols: number;
  readonly title: string;
  readonly cursor: { readonly row: number; readonly col: number };
  /** Is the cell drawn faint: programs show the hint in an empty composer so. Left out when nobody knows. */
  readonly isFaint?: (row: number, col: number) => boolean;
}

export type TitleHint = 'working' | 'idle' | 'blocked' | null;

export const dialogNames = [
  'permission',
  'question',
  'trust',
  'login',
  'update',
  'theme',
  'setup',
  'rate limit',
  'hooks review',
  'warning',
  'menu',
] as const;
export type DialogName = (typeof dialogNames)[number];

export interface Dialog {
  /** Tells this dialog from the next one that looks different. */
  readonly id: string;
  /** One of `dialogNames`, or what the configuration of a generic runtime calls it. */
  readonly name: string;
  /** Its name was guessed from its words. */
  readonly guessed?: boolean;
  /** What it asks, as on the screen; many lines, not made inert. */
  readonly text: string;
  readonly choices: readonly DialogChoice[];
}

export interface DialogChoice {
  /** What an operator types to choose it: `1`, `2`, ... */
  readonly key: string;
  readonly label: string;
  /** What is written to the program; each item is a write of its own. */
  readonly writes: readonly string[];
}

export type TroubleName = 'login' | 'rate limit' | 'provider error';

/** A model request that failed, told by the program beside its composer. */
export interface Trouble {
  readonly name: TroubleName;
  /** As on the screen. */
  readonly text: string;
  /** It tries again by itself. */
  readonly goesOn: boolean;
}

export type Draft =
  | { readonly state: 'empty' }
  | { readonly state: 'draft'; readonly text: string }
  /** There is no composer on the screen: whatever stands there takes the keys. */
  | { readonly state: 'none' }
  /** This adapter cannot tell. */
  | { readonly state: 'unknown' };
