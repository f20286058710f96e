import type { Form } from '../native/forms.ts';

/** Features that every x86-64 processor has, by what they are for. */
const BASE: Readonly<Record<string, string>> = {
  FPU: 'x87',
  FPU287: 'x87',
  FPU287XL_ONLY: 'x87',
  FPU387: 'x87',
  FPU387SL_ONLY: 'x87',
  MMX: 'MMX',
  SSE: 'SSE',
  SSE2: 'SSE2',
};

const INTEGER =
  /^(INTEL|X64$|CMOV$|CX8$|CPUID$|TSC$|MSR$|RDPMC$|CLFSH$|FXSR$|SYSCALL$|PAUSE$|MULTIBYTENOP$|UD)/;

/** The instruction set of a form in a word: its extension, or what of the baseline it belongs to. */
export function groupOf({ features }: Form): string {
  const named = features.filter((feature) => !INTEGER.test(feature));
  if (named.length === 0) return 'integer';
  return named.map((feature) => BASE[feature] ?? feature).join(' and ');
}
