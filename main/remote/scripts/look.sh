# One look at a machine. Of environments only the allow-listed names ever leave it. Start times are
# read a second time at the end, so that what was read of a pid counts only if that pid stayed one
# process.
#
# Lines of data: `names <regular expression>`, `claude <folder>`, `copilot <folder>`, `output
# <file>`, `threads <pid>`, at last `end`. The script is the same for every machine and every
# question: data never becomes a part of it.
. ./procfs.sh
. ./process-status.sh

curfew_answer() {
  curfew_begin "$1"
  curfew_head
  curfew_names=
  IFS=' ' read -r verb curfew_names <&3
  [ "$verb" = names ] || exit 0
  if [ "$curfew_way" = procfs ]; then curfew_procfs; else curfew_process_status; fi
  printf '%s end\0' "$1"
  exit 0
}
