# perl terminal.pl KEYS COMMAND…: a terminal with that command in it, under whatever name it is started. What is written into the pipe
# KEYS is typed. It ends when its command does; when it is killed, the kernel hangs the line up.
use strict;
use warnings;
use POSIX ();
my ($keys, @command) = @ARGV;
open(my $master, '+<', '/dev/ptmx') or die "ptmx: $!";
# TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h
my $unlocked = pack('i', 0);
my $number   = pack('i', 0);
ioctl($master, 0x40045431, $unlocked) && ioctl($master, 0x80045430, $number) or die "ptmx: $!";
my $line = '/dev/pts/' . unpack('i', $number);
my $child = fork() // die "fork: $!";
if ($child == 0) {
    POSIX::setsid();
    close($master);
    # The first terminal that the leader of a session opens becomes its controlling one.
    my $fd = POSIX::open($line, POSIX::O_RDWR()) // die "$line: $!";
    POSIX::dup2($fd, $_) for 0 .. 2;
    POSIX::close($fd) if $fd > 2;
    exec(@command) or die "exec: $!";
}
POSIX::mkfifo($keys, 0600) or die "$keys: $!";
# Also for writing, so that it never comes to its end.
open(my $typed, '+<', $keys) or die "$keys: $!";
while (waitpid($child, POSIX::WNOHANG()) == 0) {
    my $ready = '';
    vec($ready, fileno($_), 1) = 1 for $master, $typed;
    next if select($ready, undef, undef, 0.2) <= 0;
    my $text;
    if (vec($ready, fileno($typed), 1))  { syswrite($master, $text) if sysread($typed, $text, 4096) }
    if (vec($ready, fileno($master), 1)) { sysread($master, $text, 4096) or last }
}
