class Curfew < Formula
  desc "Ends what AI coding agents leave running"
  homepage "https://github.com/OWNER/curfew"
  url "https://registry.npmjs.org/curfew/-/curfew-0.1.0.tgz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    share = libexec/"lib/node_modules/curfew/build/out/share"
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
