import type { McpForm } from '../entries/form/entry.ts';
import { plainServer } from '../entries/form/entry.ts';
import { geminiInstaller } from './installation.ts';

/**
 * How a server gets into Gemini CLI's `settings.json`, where its hooks are, too (0.61, observed).
 */
export const geminiMcp: McpForm = {
  agent: 'gemini',
  folder: geminiInstaller.folder,
  file: geminiInstaller.file,
  format: 'json',
  path: ['mcpServers'],
  value: plainServer,
  afterwards: null,
};
