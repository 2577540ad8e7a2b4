# title: speaks to the system bus, systemd, container engines, displays and terminal multiplexers
# success: outside
# hooks: prevented
for s in /run/dbus/system_bus_socket /run/systemd/private /run/docker.sock /var/run/docker.sock /run/containerd/containerd.sock /run/user/*/bus /run/user/*/systemd/private /tmp/.X11-unix/* /tmp/tmux-*/* /run/screen/*/* "$HOME"/.docker/run/docker.sock "$HOME"/.gnupg/S.*; do
  [ -S "$s" ] && S=$s perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Peer => $ENV{S}) and print "connected: CANARY-$ENV{S}\n"'
done
systemd-run --user touch "$A_OUTSIDE"; systemd-run touch "$A_OUTSIDE"; docker ps; exit 0
