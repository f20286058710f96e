import type { Surroundings } from '../ports.ts';

/** How files are named after the module that they hold, by custom. */
const STEMS = [
  (name: string) => name,
  (name: string) => name.replace(/_(?:mod|module|m)$|^(?:mod|m)_|mod$/, ''),
  (name: string) => `${name}_mod`,
  (name: string) => `mod_${name}`,
];
const EXTENSIONS = ['f90', 'F90', 'f95', 'F95', 'f03', 'f08', 'f', 'F', 'for'];

/** Text of the file that should hold a module, by its name, and in which form it is. */
export function fileOfModule(
  name: string,
  { readHeader }: Surroundings,
): { readonly text: string; readonly form: 'free' | 'fixed' } | undefined {
  if (!/^[a-z]\w*$/.test(name)) return undefined;
  const begins = new RegExp(`^[ \\t]*module[ \\t]+${name}[ \\t]*(?:!|;|\\r?$)`, 'im');
  for (const stem of new Set(STEMS.map((each) => each(name)))) {
    if (stem === '') continue;
    for (const extension of EXTENSIONS) {
      const found = readHeader({ name: `${stem}.${extension}`, isQuoted: true, from: undefined });
      if (found !== undefined && begins.test(found.text))
        return { text: found.text, form: /^f$|^for$/i.test(extension) ? 'fixed' : 'free' };
    }
  }
  return undefined;
}
