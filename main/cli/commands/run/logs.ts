import { homedir } from 'node:os';
import { placesHere } from '../../../store/places.ts';
import { followLogs, type LogStream } from '../../../run/terminal/follow.ts';
import { RunFolder } from '../../../run/record/run-folder.ts';
import { type ExitStatus, notDone, exitStatus } from '../../common/exit-status.ts';
import { type Output, writeJsonLine } from '../../common/output.ts';
import { endWhatWasAbandoned, runWithId } from './runs.ts';

const writeBytes = (stream: NodeJS.WriteStream, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => stream.write(bytes, () => resolve()));

/**
 * `curfew logs ID`: copies the output of a background run byte for byte, its output to standard
 * output and its errors to standard error; with `follow` until it has ended. With `json` one
 * document per line, on standard output.
 * @throws WrongCall for an unknown run
 */
export const logs = async (
  id: string,
  options: { readonly json: boolean; readonly follow: boolean },
  output: Output,
): Promise<ExitStatus> => {
  const places = placesHere(homedir());
  const { runs } = places;
  await endWhatWasAbandoned(places, output);
  const record = runWithId(runs, id);
  if (!record.background)
    throw notDone('run {id} is in the foreground: its output is where it was started', { id: record.id });
  const folder = new RunFolder(runs, record.id);
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const write = (stream: LogStream, bytes: Uint8Array): Promise<void> =>
    options.json
      ? writeJsonLine(output, { stream, text: decoders[stream].decode(bytes, { stream: true }) })
      : writeBytes(stream === 'stdout' ? process.stdout : process.stderr, bytes);
  await followLogs({
    files: [
      { stream: 'stdout', path: folder.stdout },
      { stream: 'stderr', path: folder.stderr },
    ],
    follow: options.follow,
    isOver: () => folder.readExitCode() !== null || folder.read()?.end != null || folder.read() === null,
    write,
  });
  return exitStatus.done;
};
