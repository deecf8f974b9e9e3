# What servers of the random worlds are made of; precedes worker.pl, which says when it runs. No
# module is loaded here either.
sub address { pack('S Z*', 1, $_[0]) }

sub listening_at {
    my ($path) = @_;
    my $listener;
    socket($listener, 1, 1, 0) && bind($listener, address($path)) && listen($listener, 5) or die "$path: $!";
    chmod 0666, $path;
    return $listener;
}

# Waits until it listens.
sub connected_to {
    my ($path) = @_;
    socket(my $client, 1, 1, 0) or die "socket: $!";
    until (connect($client, address($path))) { select(undef, undef, undef, 0.02) }
    return $client;
}

# One end of a new channel, which goes on to what is started; the other end is kept here alone.
sub channel {
    my ($here, $there);
    socketpair($here, $there, 1, 1, 0) or die "socketpair: $!";
    push @KEPT, $here;
    fcntl($there, 2, 0);    # F_SETFD: without FD_CLOEXEC
    return $there;
}

# Starts a part of it:
#   file, argv
#   ends      where its input, output and errors go: a handle, a path, or undef for where ours go
#   apart     in a kernel session of its own
#   detached  the same, and as a child of nothing here
#   env       besides ours
sub part {
    my (%how) = @_;
    my $pid = fork() // die "fork: $!";
    if ($pid) { waitpid($pid, 0) if $how{detached}; return $pid }
    if ($how{apart} || $how{detached}) { syscall($SETSID) >= 0 or die "setsid: $!" }
    if ($how{detached} && fork()) { require POSIX; POSIX::_exit(0) }
    my ($in, $out, $err) = @{ $how{ends} // [] };
    if (defined $in)  { ref $in  ? open(STDIN, '<&', $in)   : open(STDIN, '<', $in)    or die "stdin: $!" }
    if (defined $out) { ref $out ? open(STDOUT, '>&', $out) : open(STDOUT, '>>', $out) or die "stdout: $!" }
    if (defined $err) { ref $err ? open(STDERR, '>&', $err) : open(STDERR, '>>', $err) or die "stderr: $!" }
    $ENV{$_} = $how{env}{$_} for keys %{ $how{env} // {} };
    $SIG{$_} = 'DEFAULT' for qw(CHLD HUP INT QUIT TERM USR1 CONT);
    exec { $how{file} } @{ $how{argv} };
    die "exec: $!";
}
