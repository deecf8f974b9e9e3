#!/bin/sh
# Installs Curfew's command line into a development container. VERSION and HOOKS are the options of
# devcontainer-feature.json.
set -eu
version=${VERSION:-0.1.0}
if ! command -v npm >/dev/null; then
  echo "curfew: there is no npm in this container; the feature ghcr.io/devcontainers/features/node brings it" >&2
  exit 1
fi
npm install --global --ignore-scripts --no-audit --no-fund "curfew@$version"
curfew --version
if [ "${HOOKS:-false}" = true ]; then
  # As the user of the container: hooks are in that user's own settings.
  # No agent yet is no reason for a container not to be built.
  su "${_REMOTE_USER:-root}" -c 'curfew hooks install' ||
    echo "curfew: no hooks were installed; run 'curfew hooks install' once an agent is there" >&2
fi
