#!/bin/bash
# Process 1 of a test's pid namespace. bash, because it waits for any child: orphans are handed to
# process 1, and one that does not wait for them keeps each as a zombie. The command gets a session
# of its own, since one that was made outside the namespace shows here as session 0 and group 0,
# which no real machine has.
# Files of tests have the modes that they name, whatever the user's umask: other users read some.
umask 022
# What the caller left open would be in every process of a scene, a channel to something unseen.
for path in "/proc/$$/fd"/*; do
  fd=${path##*/}
  # 255 is this script.
  if ((fd > 2 && fd != 255)); then eval "exec $fd>&-"; fi
done
setsid --wait "$@"
# Not `exec`, and not the last line: process 1 has to stay what it is until the command has ended.
exit $?
