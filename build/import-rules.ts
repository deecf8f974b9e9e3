import type { IConfiguration } from 'dependency-cruiser';

// Which file may import which, on resolved paths: a type-only import, an indirect path and an alias
// are all seen. build/scripts/check-imports.ts runs this, and fails when the cruise saw fewer files
// than there are.
const rules: IConfiguration = {
  forbidden: [
    {
      name: 'app-imports-only-app',
      comment: 'app decides and never does. Let main read it and hand it in as data.',
      severity: 'error',
      from: { path: '^app/' },
      to: { pathNot: '^app/|(^|/)node_modules/(zod|unbash|re2js)/' },
    },
    {
      name: 'commands-are-read-in-one-place',
      comment: 'The parser of commands is a tree of its own: ask app/guard for a Script.',
      severity: 'error',
      from: { pathNot: '^app/guard/script/parse-' },
      to: { path: '(^|/)node_modules/unbash/' },
    },
    {
      name: 'renderer-imports-only-app',
      comment: 'A window knows only app and renderer: ask the main process through app/contract.',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^(main|test|build)/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'what-has-a-value-is-a-part',
      comment:
        'Base UI takes a missing value for a component that keeps its own. The parts of renderer/parts ask for a value that can not be missing: use those.',
      severity: 'error',
      from: { path: '^renderer/', pathNot: '^renderer/parts/' },
      to: {
        path: '(^|/)node_modules/@base-ui/react/(radio|select|switch|field|checkbox|number-field|slider|input|toggle)',
      },
    },
    {
      name: 'main-imports-only-app-and-main',
      comment: 'Windows, tests and the build depend on main, not the other way round.',
      severity: 'error',
      from: { path: '^main/' },
      to: { path: '^(renderer|test|build)/' },
    },
    {
      name: 'electron-only-in-shell-and-preload',
      comment: 'Pass what you need from Electron in as a parameter; the command line runs without it.',
      severity: 'error',
      // The stand-in for Electron in tests is typed against it.
      from: { pathNot: '^(main/(shell|preload)|test/desktop)/' },
      to: { path: '(^|/)node_modules/electron/|^electron$' },
    },
    {
      name: 'window-system-only-from-shell',
      comment: 'The command line and the supervisor run without a window.',
      severity: 'error',
      from: { path: '^main/', pathNot: '^main/(shell|preload)/' },
      to: { path: '^main/(shell|preload)/' },
    },
    {
      name: 'processes-only-from-os',
      comment:
        'Only main/os starts processes, calls the kernel and sends signals. Ask for a ProcessSource or Signaller.',
      severity: 'error',
      // The hook of Windows is no part of Curfew's process: it is installed as a text.
      from: { path: '^main/', pathNot: '^main/(os/|agents/hooks/form/curfew-hook\\.cjs$)' },
      to: { path: '^(node:)?child_process$|(^|/)node_modules/koffi/' },
    },
    {
      name: 'no-asynchronous-files-in-the-scan-path',
      comment: 'Measured 12 times slower than openSync and readSync into one buffer.',
      severity: 'error',
      from: { path: '^main/os/' },
      to: { path: '^(node:)?fs/promises$' },
    },
    {
      name: 'no-circles',
      comment: 'A circle has no order to read it in: move what both need into a file of its own.',
      severity: 'error',
      from: { path: '^(app|main|renderer)/' },
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      comment: 'This import leads nowhere.',
      severity: 'error',
      // build/bin is copied beside the bundle that it imports.
      from: { pathNot: '^build/bin/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'shipped-code-uses-known-packages',
      comment:
        'Packages are bundled, so they are development dependencies; what can not be bundled is external in build/vite.config.ts and a dependency.',
      severity: 'error',
      from: { path: '^(app|main)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    // Type-only imports count too: they are dependencies all the same.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^build/out/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};

export default rules;
