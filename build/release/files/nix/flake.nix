{
  description = "Finds the background commands that AI coding agents start and forget, says why, and ends them safely";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { nixpkgs, ... }:
    let
      # Packages of npm that stay beside the bundle.
      besides = [
        ({
          name = "koffi";
          url = "https://registry.npmjs.org/koffi/-/koffi-3.3.4.tgz";
          hash = "sha512-31Vr+LM+w1dEsNcOJtJWvYyUTjVc/SWOxNDZJxfhsBC6qZ5YVn98n5x1oBbDq5skxCbWD4SByJpNmq63fvg9Aw==";
        })
        ({
          name = "ps-list";
          url = "https://registry.npmjs.org/ps-list/-/ps-list-9.0.0.tgz";
          hash = "sha512-lxMEoIL/BQlk2KunFzxwUPwMvjFH7x7cmvzSLsSHpyMXl9FFfLUlfKrYwFc4wx/ZaIxxuXC4n8rjQ1CX/tkXVQ==";
        })
      ];
      native = {
        "x86_64-linux" = {
          name = "@koromix/koffi-linux-x64";
          url = "https://registry.npmjs.org/@koromix/koffi-linux-x64/-/koffi-linux-x64-3.3.4.tgz";
          hash = "sha512-xi47MKuoQ9fA2SsrH6wljl9t9120hO66qEmb1le6q636q55J974cZfcwDrK5nW1GalJ+0NLXoH2T3/NGQBzPNw==";
        };
        "aarch64-linux" = {
          name = "@koromix/koffi-linux-arm64";
          url = "https://registry.npmjs.org/@koromix/koffi-linux-arm64/-/koffi-linux-arm64-3.3.4.tgz";
          hash = "sha512-k6FPjEYDioyVihUqvRFX4QZK0RL/Rrn4xPEzrKxODxgLAUXlhBTut391zPzgsMcArXgN4YTuS11M/kxmA5s+Fg==";
        };
        "x86_64-darwin" = {
          name = "@koromix/koffi-darwin-x64";
          url = "https://registry.npmjs.org/@koromix/koffi-darwin-x64/-/koffi-darwin-x64-3.3.4.tgz";
          hash = "sha512-QYRCBepdGNL5Nj8UH+mzd4sTuNGtkmYCUBTyOmoksDMXGfM03MMdZg49c42mQE7blYh28H9qeeB0NHU/acN0ng==";
        };
        "aarch64-darwin" = {
          name = "@koromix/koffi-darwin-arm64";
          url = "https://registry.npmjs.org/@koromix/koffi-darwin-arm64/-/koffi-darwin-arm64-3.3.4.tgz";
          hash = "sha512-KWc1kRttFZrFWo3bJKsmiQd/wLIaxs2eIFY10US0PcC93nBfvKOqhGrYK6DNprRMoGwSN99wxIFBJrHDAqw5ew==";
        };
      };
      package =
        pkgs:
        pkgs.stdenvNoCC.mkDerivation {
          pname = "curfew";
          version = "0.1.0";
          src = pkgs.fetchurl {
            url = "https://registry.npmjs.org/curfew/-/curfew-0.1.0.tgz";
            sha256 = "0000000000000000000000000000000000000000000000000000000000000000";
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
            ${pkgs.lib.concatMapStringsSep "\n"
              (one: ''
                mkdir -p "$home/node_modules/${one.name}"
                tar -xzf ${pkgs.fetchurl { inherit (one) url hash; }} --strip-components=1 -C "$home/node_modules/${one.name}"
              '')
              (besides ++ [ native.${pkgs.stdenv.hostPlatform.system} ])
            }
            makeWrapper ${pkgs.nodejs}/bin/node "$out/bin/curfew" --add-flags "$home/build/out/cli/curfew.js"
            installManPage build/out/share/man/curfew.1
            installShellCompletion --bash --name curfew build/out/share/completions/curfew.bash
            installShellCompletion --zsh --name _curfew build/out/share/completions/_curfew
            installShellCompletion --fish --name curfew.fish build/out/share/completions/curfew.fish
            runHook postInstall
          '';
          meta = {
            description = "Finds the background commands that AI coding agents start and forget, says why, and ends them safely";
            homepage = "https://github.com/OWNER/curfew";
            license = pkgs.lib.licenses.mit;
            mainProgram = "curfew";
          };
        };
    in
    {
      packages = builtins.mapAttrs (system: _: { default = package nixpkgs.legacyPackages.${system}; }) native;
    };
}
