// The system call filter of a session, as the array of `struct sock_filter` that `bwrap --seccomp` takes. Pure.
//
// It closes three ways around a terminal and a mount table, and nothing else, so that builds and tests run as always:
// typing into the own terminal (TIOCSTI, and TIOCLINUX on a virtual console), new user namespaces and everything that
// changes mounts in one, and the kernel's key rings, which a session would otherwise share with the operator.
// A new session of its own (`bwrap --new-session`) would close TIOCSTI too, but takes job control and resizes away.

interface Architecture {
  /** AUDIT_ARCH_*, what `seccomp_data.arch` holds. */
  readonly audit: number;
  /** Calls with this bit are another ABI (x32 on x86-64) and could be used to walk around the numbers. */
  readonly foreignBit: number | null;
  readonly ioctl: number;
  readonly clone: number;
  readonly clone3: number;
  readonly unshare: number;
  readonly refused: readonly number[];
}

// Numbers from the kernel's own tables (syscall_64.tbl; asm-generic/unistd.h). From 424 on they are the same everywhere.
// open_tree, move_mount, fsopen, fsconfig, fsmount, fspick; mount_setattr; open_tree_attr.
const newMountCalls = [428, 429, 430, 431, 432, 433, 442, 467];

const architectures: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    foreignBit: 0x40000000,
    ioctl: 16,
    clone: 56,
    clone3: 435,
    unshare: 272,
    // pivot_root, mount, umount2, add_key, request_key, keyctl, setns.
    refused: [155, 165, 166, 248, 249, 250, 308, ...newMountCalls],
  },
  arm64: {
    audit: 0xc00000b7,
    foreignBit: null,
    ioctl: 29,
    clone: 220,
    clone3: 435,
    unshare: 97,
    // umount2, mount, pivot_root, add_key, request_key, keyctl, setns.
    refused: [39, 40, 41, 217, 218, 219, 268, ...newMountCalls],
  },
};

const tiocsti = 0x5412;
const tioclinux = 0x541c;
const cloneNewUser = 0x10000000;

const errno = { eperm: 1, enosys: 38 } as const;

// Offsets in `struct seccomp_data`; the low half of an argument comes first on both (little-endian) architectures.
const offsetOf = { number: 0, architecture: 4, argument: (index: number) => 16 + index * 8 };

const load = 0x20; // BPF_LD | BPF_W | BPF_ABS
const jumpIfEqual = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const jumpIfSet = 0x45; // BPF_JMP | BPF_JSET | BPF_K
const answer = 0x06; // BPF_RET | BPF_K
const allow = 0x7fff0000;
const refuse = (code: number) => 0x00050000 | code;

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, k: number];

/** null on an architecture that the table does not know: a filter for another one would protect nothing. */
export function seccompFilter(architecture: string = process.arch): Buffer | null {
  const known = architectures[architecture];
  return known === undefined ? null : assemble(instructions(known));
}

function instructions(arch: Architecture): Instruction[] {
  return [
    [load, 0, 0, offsetOf.architecture],
    // Programs of another architecture (32 bit) have other numbers; they do not run in a session.
    [jumpIfEqual, 1, 0, arch.audit],
    [answer, 0, 0, refuse(errno.enosys)],
    [load, 0, 0, offsetOf.number],
    ...(arch.foreignBit === null ? [] : unless(jumpIfSet, arch.foreignBit, errno.enosys)),
    ...arch.refused.flatMap((number) => unless(jumpIfEqual, number, errno.eperm)),
    // The flags of clone3 are behind a pointer, which a filter cannot follow; libraries fall back to clone on ENOSYS.
    ...unless(jumpIfEqual, arch.clone3, errno.enosys),
    ...whenCalled(arch.ioctl, [
      [load, 0, 0, offsetOf.argument(1)],
      ...unless(jumpIfEqual, tiocsti, errno.eperm),
      ...unless(jumpIfEqual, tioclinux, errno.eperm),
    ]),
    ...[arch.clone, arch.unshare].flatMap((number) =>
      whenCalled(number, [[load, 0, 0, offsetOf.argument(0)], ...unless(jumpIfSet, cloneNewUser, errno.eperm)]),
    ),
    [answer, 0, 0, allow],
  ];
}

/** Refuses when the loaded word matches; otherwise goes on behind it. */
function unless(test: number, k: number, code: number): Instruction[] {
  return [
    [test, 0, 1, k],
    [answer, 0, 0, refuse(code)],
  ];
}

/** Steps over `body` unless the call is `number`. The body ends the filter for this call: the number is not loaded any more. */
function whenCalled(number: number, body: readonly Instruction[]): Instruction[] {
  const all: Instruction[] = [...body, [answer, 0, 0, allow]];
  return [[jumpIfEqual, 0, all.length, number], ...all];
}

function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, jumpTrue, jumpFalse, k]] of program.entries()) {
    const at = index * 8;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(jumpTrue, at + 2);
    bytes.writeUInt8(jumpFalse, at + 3);
    bytes.writeUInt32LE(k >>> 0, at + 4);
  }
  return bytes;
}
