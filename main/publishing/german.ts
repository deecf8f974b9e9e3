/** German, in a part of its own: loaded only where it is chosen. */
export { germanVoice } from '../../app/text/de/voice.ts';
