# Processes elsewhere: what ps tells, twice, so that what it said of a pid counts only if that pid
# stayed one process. Environments are not read, with one exception: whether a process seems to
# carry CURFEW_KEEP=1. Open files are told by lsof, where there is one.
# @FIELDS@: the columns of fixed form, each as an option of its own, because POSIX takes what stands
# behind the first `=` of an option for its header.
. ./agent-files.sh

curfew_process_status() {
  printf '#fields\0'
  curfew_ps -ax -ww @FIELDS@ | tr '\n' '\0'
  printf '#commands\0'
  curfew_ps -ax -ww -o pid= -o lstart= -o args= | tr '\n' '\0'
  printf '#kept\0'
  curfew_marked -ax | tr '\n' '\0'
  if [ -n "$(command -v lsof)" ]; then
    printf '#lsof\0'
    lsof -w -n -P -F0pfltPnT -a -d '^mem' -u "$curfew_uid" | tr '\000\n' '\037\000'
  fi
  curfew_agents
  printf '#started\0'
  curfew_ps -ax -ww -o pid= -o lstart= | tr '\n' '\0'
  printf '#now\0%s\0' "$(sh -c 'TZ=UTC0 ps -ww -o lstart= -p "$$"')"
}
