import { nameIn, programNames, type Program } from './program.ts';

const clients = programNames(
  `docker docker-compose podman podman-remote nerdctl crictl kubectl oc k9s helm lxc incus machinectl systemd-run
  ssh autossh sshpass mosh mosh-client et slogin rsync scp sftp qsub srun salloc bsub at batch`,
);

/** True for a program that waits for the work of others: its silence tells nothing. */
export const worksElsewhere = (program: Program): boolean => nameIn(program, clients) !== null;
