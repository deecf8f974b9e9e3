# perl tracer.pl PID: holds that process as a debugger does, and hands every signal on that it gets.
use strict;
use warnings;
use POSIX ();
my ($pid) = @ARGV;
my $ptrace = { x86_64 => 101, aarch64 => 117 }->{ (POSIX::uname())[4] } or die 'no system call numbers for this machine';
my ($continue, $seize) = (7, 0x4206);
syscall($ptrace, $seize, $pid + 0, 0, 0) == 0 or die "seize: $!";
# __WALL: not only children
while (waitpid($pid, 0x40000000) > 0) {
    my $status = ${^CHILD_STATUS_NATIVE};
    last if ($status & 0xff) != 0x7f;
    syscall($ptrace, $continue, $pid + 0, 0, ($status >> 8) & 0xff);
}
