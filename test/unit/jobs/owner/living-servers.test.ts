import { describe, expect, test } from 'vitest';
import { agentName } from '../../../../app/text/agent-name.ts';
import { World } from '../world.ts';
import { claudeEnvironment, type Plant } from '../plant.ts';

const pi: Plant = { pid: 100, argv: 'pi' };
const unknownAgent: Plant = { pid: 100, argv: 'node /opt/kimi/agent.js' };
const piMarks = { PI_CODING_AGENT: 'true', AI_AGENT: 'pi' };
const server = (env: Readonly<Record<string, string>>, more: Partial<Plant> = {}): Plant => ({
  pid: 110,
  ppid: 100,
  sid: 110,
  argv: 'node mcp-server.js',
  env,
  heldBy: 100,
  ...more,
});

describe('a process whose input and output its living agent holds is a server', () => {
  test.each<readonly [string, readonly Plant[]]>([
    ['of pi, in a kernel session of its own', [pi, server(piMarks)]],
    ['of opencode, in a kernel session of its own', [{ pid: 100, argv: 'opencode' }, server({ OPENCODE_PID: '100' })]],
    ['of Gemini CLI, in a kernel session of its own', [{ pid: 100, argv: 'gemini' }, server({ GEMINI_CLI: '1' })]],
    ['of an agent of no dossier', [unknownAgent, server({ AI_AGENT: 'kestrel@2.1' })]],
    ['of a known agent under another name', [unknownAgent, server({ AI_AGENT: 'kimi' })]],
    [
      'of Continue, behind a shell',
      [
        { pid: 100, argv: 'node /usr/lib/node_modules/@continuedev/cli/dist/cn.js' },
        server({}, { argv: ['sh', '-c', 'node mcp-server.js; true'], sid: 100 }),
      ],
    ],
    ['of an agent of a known kind under another name', [unknownAgent, server({ GEMINI_CLI: '1' })]],
    ['behind a shell', [pi, server(piMarks, { argv: ['sh', '-c', 'node mcp-server.js; true'] })]],
    [
      'of an agent inside a tool call of another agent',
      [
        { pid: 90, argv: 'copilot' },
        { pid: 95, ppid: 90, sid: 95, argv: ['bash', '-c', 'pi'], env: { COPILOT_CLI: '1' } },
        { pid: 100, ppid: 95, argv: 'pi', env: { COPILOT_CLI: '1' } },
        server({ ...piMarks, COPILOT_CLI: '1' }),
      ],
    ],
  ])('%s', (_what, plants) => {
    const world = new World(...plants, { pid: 111, ppid: 110, argv: 'node child.js', env: plants.at(-1)?.env ?? {} });
    for (let looks = 0; looks < 2; looks += 1) {
      const { members } = world.look();
      expect([...members].filter((pid) => pid === 110 || pid === 111)).toEqual([]);
    }
  });

  test('with the browser that it drives in a kernel session of its own', () => {
    const world = new World(pi, server(piMarks), {
      pid: 112,
      ppid: 110,
      sid: 112,
      argv: '/opt/google/chrome/chrome --headless --remote-debugging-port=0',
      env: piMarks,
    });
    expect([...world.look().members]).toEqual([]);
  });

  test('also where an earlier Curfew took it for a command', () => {
    const world = new World(pi, server(piMarks));
    const { machine } = world;
    machine.change(110, { heldBy: undefined, env: { ...piMarks, PI_SESSION_ID: 'abc' } } as never);
    world.look();
    machine.change(110, { heldBy: 100, env: piMarks });
    world.ledger = world.ledger.map((entry) => ({ ...entry, agent: 'other' }));
    expect([...world.look().members]).toEqual([]);
  });
});

describe('a tool call is a command, though its agent holds its input and output', () => {
  test.each<readonly [string, readonly Plant[]]>([
    ['of pi', [pi, server({ ...piMarks, PI_SESSION_ID: 'abc' })]],
    ['of Qwen Code', [{ pid: 100, argv: 'qwen' }, server({ QWEN_CODE: '1', QWEN_CODE_SESSION_ID: 'abc' })]],
    [
      'of Continue, which marks nothing',
      [
        { pid: 100, argv: 'node /usr/lib/node_modules/@continuedev/cli/dist/cn.js' },
        server({}, { argv: ['/bin/bash', '-l', '-c', 'make; true'], sid: 100 }),
      ],
    ],
    ['of Copilot CLI', [{ pid: 100, argv: 'copilot' }, server({ COPILOT_CLI: '1', COPILOT_AGENT_SESSION_ID: 'abc' })]],
    ['of Codex CLI', [{ pid: 100, argv: 'codex' }, server({ CODEX_CI: '1', CODEX_SESSION_ID: 'abc' })]],
  ])('%s', (_what, plants) => {
    expect(new World(...plants).look().members).toContain(110);
  });

  test('and what it speaks with is a part of it', () => {
    const env = { GEMINI_CLI: '1' };
    const world = new World(
      { pid: 100, argv: 'gemini' },
      { pid: 110, ppid: 100, sid: 110, argv: ['bash', '-c', 'python tests.py; true'], env },
      { pid: 111, ppid: 110, argv: 'python tests.py', env },
      { pid: 112, ppid: 111, argv: 'python worker.py', env, heldBy: 111 },
    );
    expect(world.look().members).toEqual(new Set([110, 111, 112]));
  });

  test('of opencode, without an input', () => {
    const env = { OPENCODE_PID: '100' };
    const world = new World(
      { pid: 100, argv: 'opencode' },
      { pid: 110, ppid: 100, sid: 110, argv: ['bash', '-c', 'sleep 9; true'], env },
      { pid: 120, ppid: 100, argv: 'node mcp-server.js', env, heldBy: 100 },
    );
    expect([...world.look().members]).toEqual([110]);
  });
});

describe('what an agent that only names itself left under process 1', () => {
  const left = { pid: 120, argv: 'node left.js', env: { AI_AGENT: 'openhands@1.2' } };

  test('is listed by its name, only claimed, and has no owner left', () => {
    const { agent, rule, proof, owner, provenance } = new World(left).look().jobWith(120);
    expect([agentName(agent, rule), proof.kind, owner.state]).toEqual(['openhands', 'claimed', 'unproved']);
    expect(provenance).toEqual([{ code: 'marker', rule: 'calls-itself:openhands' }]);
  });

  const shell: Plant = { pid: 90, sid: 90, pgid: 90, tty: 34816, argv: '-bash' };

  test.each<[string, readonly Plant[], string]>([
    ['a program that could be it under any name', [{ pid: 100, argv: 'node /srv/app.js' }], 'unknown'],
    ['one that has the name and a parent', [shell, { ...left, pid: 100, ppid: 90 }], 'unknown'],
    ['another leftover', [{ ...left, pid: 100, argv: 'sleep 9' }], 'unproved'],
  ])('has an owner beside %s as far as that can be one', (_, beside, state) => {
    const look = new World(...beside, left, { pid: 130, argv: 'node /srv/later.js' }).look();
    expect(look.jobWith(120).owner.state).toBe(state);
  });

  test('is nothing where the user’s own shell has the name, too', () => {
    const look = new World({ ...shell, env: left.env }, left).look();
    expect(look.jobWith(120).owner.state).toBe('unknown');
    expect(look.vetoes(120)).toContain('no-provenance');
  });
});

describe('what is left of a server in a kernel session of its own', () => {
  test('is abandoned where a look saw it below its agent', () => {
    const world = new World(pi, server(piMarks));
    world.look();
    world.end(100);
    const job = world.look().jobWith(110);
    expect([job.kind, job.owner.state, job.server?.standing]).toEqual(['server', 'gone', 'abandoned']);
  });

  test.each([
    ['opencode', { OPENCODE_PID: '100' }],
    ['codex', {}],
  ])('is detached where its agent (%s) gives servers no session: it may be a hook', (argv, env) => {
    const world = new World({ pid: 100, argv }, server(env));
    world.look();
    world.end(100);
    expect(world.look().jobWith(110).server).toEqual({ standing: 'detached', why: ['own-session'], freeSeconds: 0 });
  });

  test('has an unknown owner where none did', () => {
    const world = new World(pi, server(piMarks));
    world.end(100);
    expect(world.look().jobWith(110).owner.state).toBe('unknown');
  });

  test('has an unknown owner below what runs commands for sandboxes: its marks name a pid of one', () => {
    const broker = { pid: 90, argv: 'flatpak-session-helper' };
    const env = claudeEnvironment({ pid: 100 }, 'harness');
    const world = new World({ pid: 100, argv: 'claude' }, broker, server(env, { ppid: 90, sid: 90, pgid: 110 }));
    world.look();
    world.end(100);
    const { kind, owner } = world.look().jobWith(110);
    expect([kind, owner.state]).toEqual(['server', 'unknown']);
  });

  test('is detached where it has left the session in which it was seen', () => {
    const world = new World(pi, server(piMarks, { sid: 100 }));
    world.look();
    world.change(110, { sid: 110 });
    world.end(100);
    expect(world.look().jobWith(110).server).toEqual({ standing: 'detached', why: ['own-session'], freeSeconds: 0 });
  });
});
