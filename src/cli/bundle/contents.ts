import type { Manifest } from './manifest.ts';

export interface BundleCheck {
  readonly name: string;
  /** `open`: cannot be said from this file. */
  readonly verdict: 'ok' | 'failed' | 'open';
  readonly says: string;
}

/** What the checks of the run's own record look at. */
export interface Contents {
  readonly manifest: Manifest;
  readonly texts: ReadonlyMap<string, string>;
  /** sha256 of the file on the disk it came from, by path. */
  readonly originals: ReadonlyMap<string, string>;
}
