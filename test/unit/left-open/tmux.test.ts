import { describe, expect, test } from 'vitest';
import { isFirstSession, killArguments, tmuxSessionsIn } from '../../../app/left-open/left-open.ts';

const line = (more: Partial<Record<'id' | 'created' | 'attached' | 'last' | 'name', string>> = {}): string => {
  const { id = '$0', created = '1795384246', attached = '0', last = '', name = 'build' } = more;
  return `17|1795384246|${id}|${created}|${attached}|${last}|${name}`;
};

const only = (sessions: string, panes = '') => {
  const [found] = tmuxSessionsIn(sessions, panes) ?? [];
  if (found === undefined) throw new Error(`no session in ${sessions}`);
  return found;
};

describe('the sessions of a tmux server', () => {
  test('are read with their panes, as tmux 3.3a writes them', () => {
    const found = tmuxSessionsIn(`${line()}\n${line({ id: '$1', name: 'a|b' })}\n`, '$0|18|0\n$1|21|0\n$1|22|1\n');
    expect(found?.map(({ id, name, panes }) => ({ id, name, panes }))).toEqual([
      { id: '$0', name: 'build', panes: [18] },
      { id: '$1', name: 'a|b', panes: [21, 22] },
    ]);
  });

  test.each([['17|x'], ['no server running on /tmp/tmux-0/default'], ['17||$0|1|0||x']])(
    'are unknown where a line is not understood: %s',
    (text) => {
      expect(tmuxSessionsIn(`${line()}\n${text}\n`, '')).toBeNull();
    },
  );

  test('the first began with the server; what came later may be the user’s', () => {
    expect(isFirstSession(only(line()))).toBe(true);
    expect(isFirstSession(only(line({ id: '$1' })))).toBe(false);
    expect(isFirstSession(only(line({ created: '1795384300' })))).toBe(false);
  });
});

describe('the command that ends a session', () => {
  test('lets the server compare itself, the session, and that no client is or was attached', () => {
    const [command, , , target, same = '', kill] = killArguments(only(line()));
    expect([command, target, kill]).toEqual(['if-shell', '$0:', 'kill-session -t $0']);
    for (const part of ['#{pid},17', '#{session_id},$0', '#{session_created},1795384246', '#{session_attached},0'])
      expect(same).toContain(`#{==:${part}}`);
    expect(same).toContain('#{?session_last_attached,0,1}');
  });

  test('can never end one to which a client was attached', () => {
    expect(killArguments(only(line({ last: '1795384250' })))[4]).toMatch(/,0\}+$/u);
  });
});
