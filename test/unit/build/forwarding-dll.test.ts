import { expect, test } from 'vitest';
import { forwardingDll } from '../../../build/scripts/forwarding-dll.ts';

test('a library that forwards is read as the format has it', () => {
  const dll = forwardingDll('a.dll', 'Exported', 'other.Function');
  const pe = dll.readUInt32LE(0x3c);
  expect(dll.toString('latin1', pe, pe + 4)).toBe('PE\0\0');
  const optional = pe + 24;
  const section = optional + dll.readUInt16LE(pe + 20);
  const [virtual, inFile] = [dll.readUInt32LE(section + 12), dll.readUInt32LE(section + 20)];
  const at = (address: number): number => address - virtual + inFile;
  const text = (address: number): string => dll.toString('latin1', at(address), dll.indexOf(0, at(address)));
  const [exports, size] = [dll.readUInt32LE(optional + 112), dll.readUInt32LE(optional + 116)];
  const field = (offset: number): number => dll.readUInt32LE(at(exports) + offset);
  expect(text(field(12))).toBe('a.dll');
  expect(text(dll.readUInt32LE(at(field(32))))).toBe('Exported');
  const forwarder = dll.readUInt32LE(at(field(28)));
  expect(text(forwarder)).toBe('other.Function');
  // Only inside of the directory's bounds is it the name of another library's function.
  expect(forwarder).toBeLessThan(exports + size);
  expect(dll.length).toBe(inFile + dll.readUInt32LE(section + 16));
});

test('names that do not fit are refused', () => {
  expect(() => forwardingDll('a.dll', 'x'.repeat(600), 'other.Function')).toThrow('too long');
});
