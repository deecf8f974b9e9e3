import { z } from 'zod';
import type { Licence } from './licence-text.ts';

const bill = z.looseObject({
  serialNumber: z.unknown(),
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
  components: z.array(z.looseObject({ 'bom-ref': z.string(), name: z.string(), version: z.string() })),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

/**
 * Returns the bill of materials of a package of Curfew, as CycloneDX: npm's own of everything
 * installed, cut to the packages in or beside a bundle. npm can't know these, since it sees bundled
 * packages as development dependencies. What npm writes of the moment, of the folder and by chance
 * is replaced or left out, so that two builds give the same bill.
 * @param name of the package: npm writes that of the folder
 * @param epoch seconds since 1970, of the build
 * @throws ZodError if npm printed something else
 */
export const softwareBill = (printed: string, shipped: readonly Licence[], name: string, epoch: number): string => {
  const { serialNumber: _serialNumber, ...all } = bill.parse(JSON.parse(printed));
  const component = { ...all.metadata.component, name };
  const metadata = { ...all.metadata, component, timestamp: new Date(epoch * 1000).toISOString() };
  const wanted = new Set(shipped.map((one) => `${one.name}@${one.version}`));
  const nameOf = (one: { readonly 'bom-ref': string; readonly version: string }): string => one['bom-ref'];
  const components = all.components
    .filter((one) => wanted.has(nameOf(one)))
    .map(({ scope: _scope, ...one }) => ({ ...one, scope: 'required' }));
  const self = all.metadata.component['bom-ref'];
  const kept = new Set(components.map(({ 'bom-ref': ref }) => ref));
  const dependencies = all.dependencies
    .filter(({ ref }) => ref === self || kept.has(ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => kept.has(ref)) }));
  return `${JSON.stringify({ ...all, metadata, components, dependencies }, null, 2)}\n`;
};
