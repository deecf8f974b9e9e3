import { signatureOf } from '../agents/signatures.ts';
import type { PileUp } from '../diagnose/whole-machine.ts';
import { visibleText } from '../format/visible.ts';
import { say, sized } from './form.ts';
import type { SaidWithAdvice } from './sweep.ts';

/** Describes something that piles up as a whole sentence, with advice. */
export const sayPileUp = (pileUp: PileUp): SaidWithAdvice => {
  switch (pileUp.code) {
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
