# Sourced by attacks that kill by name, fork or fill. They start only inside of an arena: a PID namespace of its own and
# a small tmpfs on /tmp. Anywhere else a defence that fails would cost the machine.
gatehouse_guard() {
  if [ -z "$ARENA_OUTER_PIDS" ] || [ "$(readlink /proc/self/ns/pid)" = "$ARENA_OUTER_PIDS" ]; then
    echo "guard: not in a PID namespace of its own, refused" >&2
    exit 97
  fi
  # In the arena and in a sandbox within it /tmp is a tmpfs, limited in size.
  if [ "$(stat -f -c %T /tmp)" != tmpfs ] || [ "$(df --output=size -k /tmp | tail -n 1)" -gt 1100000 ]; then
    echo "guard: /tmp is no small tmpfs, refused" >&2
    exit 97
  fi
}
gatehouse_guard
