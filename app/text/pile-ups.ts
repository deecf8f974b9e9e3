import { signatureOf } from '../agents/signatures.ts';
import type { PileUp } from '../diagnose/whole-machine.ts';
import { formatBytes } from '../format/bytes.ts';
import { counted } from './figures.ts';
import { visibleText } from '../format/visible.ts';

/** Describes something that piles up as a whole sentence, with advice. */
export const sayPileUp = (pileUp: PileUp): { readonly text: string; readonly advice: string } => {
  switch (pileUp.code) {
    case 'many-shells': {
      const { agent, session, jobs, project } = pileUp;
      const where = project === null ? '' : ` in ${visibleText(project)}`;
      return {
        text: `${jobs} commands of one session of ${signatureOf(agent).name}${where} are running at the same time (session ${visibleText(session)}).`,
        advice: `\`curfew scan\` lists them; \`curfew reap --session ${visibleText(session)}\` ends them all.`,
      };
    }
    case 'piled-sockets': {
      const { folder, sockets, sessions } = pileUp;
      return {
        text: `${sockets} sockets of agents lie in ${visibleText(folder)}, and ${sessions === 0 ? 'no session is' : `${counted(sessions, 'session')} ${sessions === 1 ? 'is' : 'are'}`} running.`,
        advice: '`curfew sweep --dry-run` shows those whose sessions are gone; `curfew sweep` takes them away.',
      };
    }
    case 'large-output':
      return {
        text: `The output of job ${pileUp.job} has grown to ${formatBytes(pileUp.bytes)} (${visibleText(pileUp.file)}).`,
        advice: 'Its disk space is free again once the job has ended and the file is deleted.',
      };
  }
};
