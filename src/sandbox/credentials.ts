// Where people keep what lets them push, deploy or log in, relative to the home folder. A session sees none of it.

/** Files and folders that are not there in a session. */
export const hiddenInHome: readonly string[] = [
  // Git hosts, and what git itself asks.
  '.ssh',
  '.git-credentials',
  '.netrc',
  '_netrc',
  '.config/git/credentials',
  '.cache/git/credential',
  '.git-credential-cache',
  '.config/gh',
  '.config/glab-cli',
  '.config/hub',
  '.config/tea',
  '.subversion/auth',
  // Keys and key rings.
  '.gnupg',
  '.password-store',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.config/op',
  '.config/Bitwarden CLI',
  '.vault-token',
  '.age',
  '.config/sops',
  // Registries.
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.pypirc',
  '.gem/credentials',
  '.local/share/gem/credentials',
  '.composer/auth.json',
  '.config/composer/auth.json',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.bunfig.toml',
  '.config/containers/auth.json',
  // Clouds, clusters, machines. A container engine's socket is as good as the machine.
  '.docker',
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/doctl',
  '.config/hcloud',
  '.config/rclone',
  '.config/helm',
  '.kube',
  '.terraform.d',
  '.terraformrc',
  '.oci',
  '.s3cfg',
  '.boto',
  '.fly',
  '.netlify',
  '.config/netlify',
  '.local/share/com.vercel.cli',
  '.heroku',
  '.pgpass',
  '.my.cnf',
  '.krb5',
  // Browsers are logged in everywhere.
  '.mozilla',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  '.config/vivaldi',
  'snap/firefox',
  'snap/chromium',
  // A display's cookie lets a program type into any window; histories hold what was once typed.
  '.Xauthority',
  '.ICEauthority',
  '.bash_history',
  '.zsh_history',
  '.local/share/fish/fish_history',
  '.python_history',
  '.node_repl_history',
  '.psql_history',
  '.mysql_history',
  '.lesshst',
  '.viminfo',
];

export type Sanitizer = 'git-config' | 'npmrc' | 'yarnrc';

/** Files that programs need, shown without their secrets. */
export const sanitizedInHome: Readonly<Record<string, Sanitizer>> = {
  '.gitconfig': 'git-config',
  '.config/git/config': 'git-config',
  '.npmrc': 'npmrc',
  '.yarnrc': 'npmrc',
  '.yarnrc.yml': 'yarnrc',
};

/** Only root can read these, and a session of root still is root to a file's owner bits. */
export const hiddenFromRoot: readonly string[] = ['/etc/shadow', '/etc/gshadow', '/etc/shadow-', '/etc/gshadow-'];

/**
 * Switches of the whole machine. bwrap covers them only where a folder's own bits say that it can be written, and
 * /proc/sys says it cannot, while its files obey to whoever is root outside: kernel.core_pattern would start a program
 * of the session's choice on the machine.
 */
export const machineSwitches: readonly string[] = [
  '/proc/sys',
  '/proc/sysrq-trigger',
  '/proc/irq',
  '/proc/bus',
  '/proc/acpi',
  '/proc/scsi',
  '/proc/fs',
  '/proc/asound',
  '/proc/mtrr',
];

/** What a session needs below /run, which is otherwise empty: name resolution, and where NixOS keeps programs. */
export const neededInRun: readonly string[] = [
  '/run/systemd/resolve',
  '/run/NetworkManager/resolv.conf',
  '/run/resolvconf',
  '/run/netconfig',
  '/run/current-system',
  '/run/opengl-driver',
];
