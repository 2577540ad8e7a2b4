// node-pty is installed under this name from @lydell/node-pty (prebuilt), whose types know only that other name.
/// <reference types="node-pty" />
declare module 'node-pty' {
  export * from '@lydell/node-pty';
}
