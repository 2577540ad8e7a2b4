// A folder of the operator's in which an agent program keeps settings and state side by side, and what a sandboxed session
// may do to it: whatever it leaves there would be read, or started, by the operator's own sessions, which no sandbox holds.

/** A name that ends with `/` is a folder; a pattern stands for names. */
export interface StoreFolder {
  readonly path: string;
  /** Of what is not named: `own` for each run, kept over relaunches and begun empty; `shared`: the operator's, writable. */
  readonly rest: 'own' | 'shared';
  /** The operator's, writable: conversations, the login. What is data and starts nothing. */
  readonly shared: readonly string[];
  /** What the program obeys: as the operator has it, read-only. A name that is missing is there and empty. */
  readonly settings: readonly (string | RegExp)[];
  /** Of this run alone although `rest` is `shared`: programs and scripts that the program makes and starts. */
  readonly own: readonly string[];
}
