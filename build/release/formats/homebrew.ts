import { homepageOf, registryTarball, type ReleaseDescription, sumOf, tarballOf } from '../description.ts';

/**
 * Returns a formula for Homebrew, from npm's tarball as Homebrew prefers it
 * (https://docs.brew.sh/Node-for-Formula-Authors).
 */
export const homebrewFormula = (release: ReleaseDescription): string => {
  const share = `share = libexec/"lib/node_modules/${release.npmName}/build/out/share"`;
  const short = release.shortSummary;
  return `class Curfew < Formula
  desc "${short.charAt(0).toUpperCase()}${short.slice(1)}"
  homepage "${homepageOf(release)}"
  url "${registryTarball(release.npmName, release.version)}"
  sha256 "${sumOf(release, tarballOf(release))}"
  license "${release.licence}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    ${share}
    man1.install_symlink share/"man/curfew.1"
    bash_completion.install_symlink share/"completions/curfew.bash" => "curfew"
    zsh_completion.install_symlink share/"completions/_curfew"
    fish_completion.install_symlink share/"completions/curfew.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/curfew --version")
    assert_match '"schema":1', shell_output("#{bin}/curfew scan --json")
  end
end
`;
};
