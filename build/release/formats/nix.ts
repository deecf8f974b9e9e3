import { homepageOf, type Need, registryTarball, type ReleaseDescription, sumOf, tarballOf } from '../description.ts';

/** Nix' names of platforms, by Node's. */
const systems: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-linux',
  'linux-arm64': 'aarch64-linux',
  'darwin-x64': 'x86_64-darwin',
  'darwin-arm64': 'aarch64-darwin',
};

const quoted = (text: string): string => `"${text.replaceAll(/["\\$]/gu, String.raw`\$&`)}"`;

const entry = ({ name, version, integrity }: Need, indent: string): string =>
  [
    `{`,
    `  name = ${quoted(name)};`,
    `  url = ${quoted(registryTarball(name, version))};`,
    `  hash = ${quoted(integrity)};`,
    `}`,
  ].join(`\n${indent}`);

/**
 * Returns a flake. It takes npm's tarball and the few packages beside its bundle, each by the hash
 * that the release or package-lock.json has, so that no hash of a whole node_modules has to be
 * computed. https://nix.dev/manual/nix/latest/command-ref/new-cli/nix3-flake
 */
export const nixFlake = (release: ReleaseDescription): string => {
  const everywhere = release.needs.filter(({ platforms }) => platforms.length === 0);
  const native = Object.entries(systems).flatMap(([platform, system]) => {
    const need = release.needs.find(({ platforms }) => platforms.includes(platform));
    return need === undefined ? [] : [`        ${quoted(system)} = ${entry(need, '        ')};`];
  });
  return `{
  description = ${quoted(release.summary)};

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { nixpkgs, ... }:
    let
      # Packages of npm that stay beside the bundle.
      besides = [
${everywhere.map((need) => `        (${entry(need, '        ')})`).join('\n')}
      ];
      native = {
${native.join('\n')}
      };
      package =
        pkgs:
        pkgs.stdenvNoCC.mkDerivation {
          pname = ${quoted(release.name)};
          version = ${quoted(release.version)};
          src = pkgs.fetchurl {
            url = ${quoted(registryTarball(release.npmName, release.version))};
            sha256 = ${quoted(sumOf(release, tarballOf(release)))};
          };
          nativeBuildInputs = [
            pkgs.installShellFiles
            pkgs.makeWrapper
          ];
          dontConfigure = true;
          dontBuild = true;
          installPhase = ''
            runHook preInstall
            home=$out/lib/curfew
            mkdir -p "$home"
            cp -r . "$home"
            \${pkgs.lib.concatMapStringsSep "\\n"
              (one: ''
                mkdir -p "$home/node_modules/\${one.name}"
                tar -xzf \${pkgs.fetchurl { inherit (one) url hash; }} --strip-components=1 -C "$home/node_modules/\${one.name}"
              '')
              (besides ++ [ native.\${pkgs.stdenv.hostPlatform.system} ])
            }
            makeWrapper \${pkgs.nodejs}/bin/node "$out/bin/curfew" --add-flags "$home/build/out/cli/curfew.js"
            installManPage build/out/share/man/curfew.1
            installShellCompletion --bash --name curfew build/out/share/completions/curfew.bash
            installShellCompletion --zsh --name _curfew build/out/share/completions/_curfew
            installShellCompletion --fish --name curfew.fish build/out/share/completions/curfew.fish
            runHook postInstall
          '';
          meta = {
            description = ${quoted(release.summary)};
            homepage = ${quoted(homepageOf(release))};
            license = pkgs.lib.licenses.mit;
            mainProgram = "curfew";
          };
        };
    in
    {
      packages = builtins.mapAttrs (system: _: { default = package nixpkgs.legacyPackages.\${system}; }) native;
    };
}
`;
};
