import { signatureOf } from '../agents/signatures.ts';
import type { PileUp } from '../diagnose/whole-machine.ts';
import { formatBytes } from '../format/bytes.ts';
import { visibleText } from '../format/visible.ts';
import { say } from './say.ts';
import type { SaidWithAdvice } from './sweep.ts';

/** Describes something that piles up as a whole sentence, with advice. */
export const sayPileUp = (pileUp: PileUp): SaidWithAdvice => {
  switch (pileUp.code) {
    case 'many-shells': {
      const { jobs, project } = pileUp;
      const [agent, session] = [signatureOf(pileUp.agent).name, visibleText(pileUp.session)];
      return {
        text:
          project === null
            ? say('{jobs} commands of one session of {agent} are running at the same time (session {session}).', {
                jobs,
                agent,
                session,
              })
            : say(
                '{jobs} commands of one session of {agent} in {project} are running at the same time (session {session}).',
                { jobs, agent, session, project: visibleText(project) },
              ),
        advice: say('`curfew scan` lists them; `curfew reap --session {session}` ends them all.', { session }),
      };
    }
    case 'piled-sockets': {
      const { sockets, sessions } = pileUp;
      const folder = visibleText(pileUp.folder);
      return {
        text:
          sessions === 0
            ? say('{sockets} sockets of agents lie in {folder}, and no session is running.', { sockets, folder })
            : sessions === 1
              ? say('{sockets} sockets of agents lie in {folder}, and {sessions} session is running.', {
                  sockets,
                  folder,
                  sessions,
                })
              : say('{sockets} sockets of agents lie in {folder}, and {sessions} sessions are running.', {
                  sockets,
                  folder,
                  sessions,
                }),
        advice: say('`curfew sweep --dry-run` shows those whose sessions are gone; `curfew sweep` takes them away.'),
      };
    }
    case 'large-output':
      return {
        text: say('The output of job {job} has grown to {size} ({file}).', {
          job: pileUp.job,
          size: formatBytes(pileUp.bytes),
          file: visibleText(pileUp.file),
        }),
        advice: say('Its disk space is free again once the job has ended and the file is deleted.'),
      };
  }
};
