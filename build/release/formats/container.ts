import { homepageOf, type ReleaseDescription } from '../description.ts';

/**
 * Returns the file of a container image with the command line. It sees the processes of the machine
 * only where it shares their pid namespace, which the comment in it says.
 */
export const containerfile = (
  release: ReleaseDescription,
): string => `# Curfew's command line in an image: for a look at a machine without installing anything.
#   podman run --rm --pid=host --userns=keep-id --volume "$HOME:$HOME:ro" --env HOME IMAGE scan
# Without --pid=host it sees the processes of its own container only; without the home folder it
# knows no session, and what it can't know is left alone.
FROM docker.io/library/node:${release.node}-trixie-slim
LABEL org.opencontainers.image.title="Curfew" \\
  org.opencontainers.image.description="${release.summary}" \\
  org.opencontainers.image.version="${release.version}" \\
  org.opencontainers.image.licenses="${release.licence}" \\
  org.opencontainers.image.source="${homepageOf(release)}"
RUN npm install --global --ignore-scripts --no-audit --no-fund ${release.npmName}@${release.version} \\
  && npm cache clean --force
USER node
ENTRYPOINT ["curfew"]
CMD ["scan"]
`;
