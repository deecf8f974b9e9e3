import { describe, expect, test } from 'vitest';
import { hostsOf } from '../../../../app/jobs/lineage/host.ts';
import { environmentNames } from '../../../../app/agents/signatures.ts';

describe('the terminal that an environment names', () => {
  test.each([
    [{ TMUX: '/tmp/tmux-1000/default,200,0' }, [200]],
    [{ TMUX: '/tmp/a,b,3/default,4711,12' }, [4711]],
    [{ STY: '4711.pts-0.host' }, [4711]],
    [{ KITTY_PID: '4711' }, [4711]],
    [{ KITTY_PID: '30', TMUX: '/tmp/tmux-1000/default,200,' }, [200, 30]],
    [{ TMUX: '' }, []],
    [{ TMUX: '/tmp/tmux-1000/default' }, []],
    [{ TMUX: ',1,0', STY: '0.x', KITTY_PID: '-1' }, []],
    [{ TMUX: ',99999999,0', STY: 'x.4711', KITTY_PID: '47 11' }, []],
    [{}, []],
  ])('%j: %j', (environment, pids) => {
    expect(hostsOf(environment)).toEqual(pids);
  });

  test('is read of every process', () => {
    for (const name of ['TMUX', 'STY', 'KITTY_PID']) expect(environmentNames).toContain(name);
  });
});
