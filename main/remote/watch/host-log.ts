import { messageOf } from '../../../app/format/error-message.ts';
import type { Engine } from '../../engine/engine.ts';
import type { HostEvents } from './host-events.ts';

/** Returns events that also go to the log and to collectors. */
export const loggedHosts = ({ log, lines }: Pick<Engine, 'log' | 'lines'>, events: HostEvents): HostEvents => ({
  looked: events.looked,
  noticed: (host, judged, look) => {
    log.info('noticed', { host, job: judged.job.id, state: judged.verdict.state, command: judged.job.command });
    lines.noticed(host, judged);
    events.noticed(host, judged, look);
  },
  reaping: (host, judged, look, decidedBy) => {
    log.info('reaping', { host, job: judged.job.id, state: judged.verdict.state, decidedBy });
    events.reaping(host, judged, look, decidedBy);
  },
  ended: (incident) => {
    log.info('ended', { host: incident.host, job: incident.job, incident: incident.id, outcome: incident.outcome });
    events.ended(incident);
  },
  failed: (host, failure) => {
    log.error('reaping failed', { host, job: failure.job, problem: messageOf(failure.error) });
    lines.failed(host, failure.job, failure.error);
    events.failed(host, failure);
  },
  reach: (host, failure) => {
    if (failure === null) log.info('host is back', { host });
    else log.error('host out of reach', { host, problem: failure.message });
    lines.reach(host, failure);
    events.reach(host, failure);
  },
  problem: (host, error) => {
    log.error('problem', { host, problem: messageOf(error) });
    lines.problem(host, error);
    events.problem(host, error);
  },
});
