import { signatureOf } from '../agents/signatures.ts';
import type { PileUp } from '../diagnose/whole-machine.ts';
import { visibleText } from '../format/visible.ts';
import { say, sized } from './form.ts';
import type { SaidWithAdvice } from './sweep.ts';

/** Describes something that piles up as a whole sentence, with advice. */
export const sayPileUp = (pileUp: PileUp): SaidWithAdvice => {
  switch (pileUp.code) {
    case 'unwaited-zombies':
      return {
        text: say(
          'Process 1 ({first}) does not wait for processes that have ended: {zombies} of them still hold a process id.',
          { first: visibleText(pileUp.first), zombies: pileUp.zombies },
        ),
        advice: say('Start the container with `curfew init`, tini or `docker run --init` in front of its command.'),
      };
    case 'few-pids':
      return {
        text: say('{used} of {max} process ids of this container or group are taken.', {
          used: pileUp.used,
          max: pileUp.max,
        }),
        advice: say('At the limit nothing can be started any more. `curfew scan` shows what is left over.'),
      };
    case 'little-memory':
      return {
        text: say('{used} of {max} of the memory of this container or group are taken.', {
          used: sized(pileUp.used),
          max: sized(pileUp.max),
        }),
        advice: say('At the limit the kernel ends processes. `curfew sessions` shows which hold most.'),
      };
    case 'memory-stalls':
      return {
        text: say('Processes of this container or group waited for memory in {percent} % of the last 10 s.', {
          percent: Math.round(pileUp.percent),
        }),
        advice: say('`curfew sessions` shows which hold most.'),
      };
    case 'little-shared-memory':
      return {
        text: say('{used} of {max} of /dev/shm are taken.', { used: sized(pileUp.used), max: sized(pileUp.max) }),
        advice: say('Browsers crash when it is full. Start the container with more: `docker run --shm-size 1g`.'),
      };
    case 'many-shells': {
      const { jobs, project } = pileUp;
      const [agent, session] = [signatureOf(pileUp.agent).name, visibleText(pileUp.session)];
      return {
        text: say(
          '{jobs} commands of one session of {agent}{where} are running at the same time (session {session}).',
          {
            jobs,
            agent,
            session,
            where: project === null ? '' : say(' in {project}', { project: visibleText(project) }),
          },
        ),
        advice: say('`curfew scan` lists them; `curfew reap --session {session}` ends them all.', { session }),
      };
    }
    case 'piled-sockets': {
      const { sockets, sessions } = pileUp;
      const folder = visibleText(pileUp.folder);
      return {
        text: say('{sockets} sockets of agents lie in {folder}, and {running}.', {
          sockets,
          folder,
          running:
            sessions === 0
              ? say('no session is running')
              : say(sessions === 1 ? '{sessions} session is running' : '{sessions} sessions are running', { sessions }),
        }),
        advice: say('`curfew sweep --dry-run` shows those whose sessions are gone; `curfew sweep` takes them away.'),
      };
    }
    case 'large-output':
      return {
        text: say('The output of job {job} has grown to {size} ({file}).', {
          job: pileUp.job,
          size: sized(pileUp.bytes),
          file: visibleText(pileUp.file),
        }),
        advice: say('Its disk space is free again once the job has ended and the file is deleted.'),
      };
  }
};
