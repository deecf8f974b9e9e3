import { homepageOf, registryTarball, type ReleaseDescription, sumOf, tarballOf } from '../description.ts';

/** A pre-release has no hyphen in pacman's versions. PKGBUILD(5) */
const archVersion = (version: string): string => version.replaceAll('-', '_');

const architectures = ['x86_64', 'aarch64'] as const;

const dependsOn = ({ minNode }: ReleaseDescription): string => `nodejs>=${minNode}`;

/** Returns a PKGBUILD. https://wiki.archlinux.org/title/Node.js_package_guidelines */
export const pkgbuild = (release: ReleaseDescription): string => {
  const tarball = tarballOf(release);
  const installed = `"$pkgdir/usr/lib/node_modules/${release.npmName}"`;
  return `# Maintainer: ${release.maintainer}
pkgname=${release.name}
pkgver=${archVersion(release.version)}
pkgrel=1
pkgdesc='${release.shortSummary}'
arch=(${architectures.map((one) => `'${one}'`).join(' ')})
url='${homepageOf(release)}'
license=('${release.licence}')
depends=('${dependsOn(release)}')
makedepends=('npm')
source=('${registryTarball(release.npmName, release.version)}')
noextract=('${tarball}')
sha256sums=('${sumOf(release, tarball)}')

package() {
  npm install --global --ignore-scripts --no-audit --no-fund \\
    --cache "$srcdir/npm-cache" --prefix "$pkgdir/usr" "$srcdir/${tarball}"
  # npm leaves the builder's ids and folders that others may write.
  chown -R root:root "$pkgdir"
  chmod -R u=rwX,go=rX "$pkgdir"

  local installed=${installed}
  install -Dm644 "$installed/build/out/share/man/curfew.1" "$pkgdir/usr/share/man/man1/curfew.1"
  install -Dm644 "$installed/build/out/share/completions/curfew.bash" \\
    "$pkgdir/usr/share/bash-completion/completions/curfew"
  install -Dm644 "$installed/build/out/share/completions/_curfew" \\
    "$pkgdir/usr/share/zsh/site-functions/_curfew"
  install -Dm644 "$installed/build/out/share/completions/curfew.fish" \\
    "$pkgdir/usr/share/fish/vendor_completions.d/curfew.fish"
  install -Dm644 -t "$pkgdir/usr/lib/systemd/user" "$installed"/build/out/share/systemd/user/*
  install -Dm644 "$installed/LICENSE" "$pkgdir/usr/share/licenses/$pkgname/LICENSE"
}
`;
};

/** Returns the .SRCINFO of that PKGBUILD, as `makepkg --printsrcinfo` writes it. */
export const srcinfo = (release: ReleaseDescription): string => {
  const fields: readonly (readonly [string, string])[] = [
    ['pkgdesc', release.shortSummary],
    ['pkgver', archVersion(release.version)],
    ['pkgrel', '1'],
    ['url', homepageOf(release)],
    ...architectures.map((one) => ['arch', one] as const),
    ['license', release.licence],
    ['makedepends', 'npm'],
    ['depends', dependsOn(release)],
    ['noextract', tarballOf(release)],
    ['source', registryTarball(release.npmName, release.version)],
    ['sha256sums', sumOf(release, tarballOf(release))],
  ];
  const lines = fields.map(([name, value]) => `\t${name} = ${value}`);
  return [`pkgbase = ${release.name}`, ...lines, '', `pkgname = ${release.name}`, ''].join('\n');
};
