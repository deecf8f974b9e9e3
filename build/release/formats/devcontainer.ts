import { homepageOf, type ReleaseDescription } from '../description.ts';

/**
 * Returns the description of a feature for development containers, which names the Node that it
 * needs. https://containers.dev/implementors/features/
 */
export const devcontainerFeature = (release: ReleaseDescription): string =>
  `${JSON.stringify(
    {
      id: release.name,
      version: release.version,
      name: 'Curfew',
      description: release.summary,
      documentationURL: homepageOf(release),
      options: {
        version: {
          type: 'string',
          proposals: [release.version, 'latest'],
          default: release.version,
          description: 'Version of the npm package.',
        },
        hooks: {
          type: 'boolean',
          default: false,
          description: "Installs Curfew's hooks into the settings of the agents that are in the container.",
        },
      },
      dependsOn: { 'ghcr.io/devcontainers/features/node:1': { version: release.node.split('.')[0] } },
    },
    null,
    2,
  )}\n`;

/** Returns its script, which the container's build runs as root with the options as variables. */
export const devcontainerScript = (release: ReleaseDescription): string => `#!/bin/sh
# Installs Curfew's command line into a development container. VERSION and HOOKS are the options of
# devcontainer-feature.json.
set -eu
version=\${VERSION:-${release.version}}
if ! command -v npm >/dev/null; then
  echo "curfew: there is no npm in this container; the feature ghcr.io/devcontainers/features/node brings it" >&2
  exit 1
fi
npm install --global --ignore-scripts --no-audit --no-fund "${release.npmName}@$version"
curfew --version
if [ "\${HOOKS:-false}" = true ]; then
  # As the user of the container: hooks are in that user's own settings.
  # No agent yet is no reason for a container not to be built.
  su "\${_REMOTE_USER:-root}" -c 'curfew hooks install' ||
    echo "curfew: no hooks were installed; run 'curfew hooks install' once an agent is there" >&2
fi
`;
