# The far ends of private channels. `ss` tells which end of a pair of sockets was closed, poll(2)
# through perl the same of a pipe and of a pseudo-terminal. Without them nothing is told, which
# proves nothing. Nothing is read from a channel or written.
#
# SC2016: the text is perl's.
# shellcheck disable=SC2016

curfew_find_program() {
  command -v "$1" && return
  for p in /usr/sbin /usr/bin /sbin /bin /usr/local/sbin /usr/local/bin /run/current-system/sw/bin /nix/var/nix/profiles/default/bin; do
    if [ -x "$p/$1" ]; then
      printf '%s\n' "$p/$1"
      return
    fi
  done
  return 1
}
# Prints the connected local sockets: inode, inode of the other end, and in which directions it is
# shut; $1: ss. `INODE 0 ---` is one whose other end was closed. What is read stands at the very end
# of a line: a name before it can hold anything.
curfew_peers() {
  "$1" -xHne | sed -n 's/^.* \([0-9][0-9]*\) [^ ]* \([0-9][0-9]*\) *\([<-]-[->]\) *$/\1 \2 \3/p; t
s/^.* \([0-9][0-9]*\) [^ ]* \([0-9][0-9]*\) *\([<-]-[->]\)* *\(ino:[0-9]* dev:[0-9/]*\)* *\(uid:[0-9]*\)* *$/\1 \2/p'
}
# Prints what is at the other ends of processes, $1: perl. `PID FD closed|open` for each pipe of a
# process whose standard input, output or error is a pipe or socket: it is opened once more in the
# direction that the descriptor has, which never blocks. `PID FD NUMBER hung-up|held` for standard
# input or output on a pseudo-terminal of this /dev/pts: the kernel refuses to open one whose master
# was closed (EIO), and takes its name away.
curfew_polls() {
  curfew_perl=$1
  shift
  "$curfew_perl" -e 'use Fcntl; use IO::Handle;
my $pts = (stat "/dev/pts")[0] || 0;
for my $p (@ARGV) {
  my $d = "/proc/$p/fd";
  my @l = map { readlink("$d/$_") || "" } 0, 1, 2;
  for my $f (grep { $l[$_] =~ m{^/dev/pts/\d+( \(deleted\))?$} } 0, 1) {
    my @s = stat "$d/$f" or next;
    my ($major, $minor) = (($s[6] >> 8) & 0xfff, ($s[6] & 0xff) | (($s[6] >> 12) & 0xfff00));
    next unless $s[0] == $pts && $major >= 136 && $major <= 143;
    my $opened = sysopen my $h, "$d/$f", O_RDWR | O_NOCTTY | O_NONBLOCK;
    next unless $opened || $! == 5;
    my $gone = $l[$f] =~ /deleted/;
    print "$p $f $minor ", $opened ? "held" : "hung-up", "\n" if $opened xor $gone;
  }
  next unless grep { /^(pipe|socket):/ } @l;
  opendir my $all, $d or next;
  for my $f (grep { /^\d+$/ } readdir $all) {
    next unless (readlink("$d/$f") || "") =~ /^pipe:\[\d+\]$/;
    my $m = ((lstat "$d/$f")[2] || 0) & 0700;
    next unless $m == 0500 || $m == 0300;
    sysopen my $h, "$d/$f", O_NONBLOCK | ($m == 0500 ? O_RDONLY : O_WRONLY) or next;
    my @e = (fileno $h, 0);
    next if IO::Poll::_poll(0, @e) < 0;
    print "$p $f ", $e[1] & ($m == 0500 ? 16 : 8) ? "closed" : "open", "\n";
  }
}' "$@"
}
