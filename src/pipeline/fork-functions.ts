import type { Address } from '../base/brand.ts';
import type { Image } from '../elf/image.ts';
import type { ObservedModule } from '../observation/observation.ts';
import type { ForkFunction } from '../observation/shares.ts';

/**
 * Functions of OpenMP runtimes whose call is a whole parallel region, and which argument the team's function is: those of
 * libgomp (libgomp.map; its function comes first) and of LLVM's libomp (kmp.h: location, count, function).
 */
const FORKS: readonly { readonly name: RegExp; readonly argument: number }[] = [
  { name: /^GOMP_parallel(_sections|_reductions|_loop_[a-z_]*(?<!_start))?$/, argument: 0 },
  { name: /^__kmpc_fork_call(_if)?$/, argument: 2 },
];

/** Those of a run's modules, at the guest's addresses. `images[i]` is the file of `modules[i]`. */
export function forkFunctions(
  modules: readonly ObservedModule[],
  images: readonly Image[],
): readonly ForkFunction[] {
  return modules.flatMap(({ base }, i) =>
    images[i].functions.flatMap(({ name, address }) => {
      const fork = name === undefined ? undefined : FORKS.find((each) => each.name.test(name));
      return fork === undefined ? [] : [{ address: (address + base) as Address, argument: fork.argument }];
    }),
  );
}
