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

/** Those in which threads wait for one another; the ends of shared loops and sections without `nowait` are some. */
const BARRIER =
  /^(GOMP_(barrier|loop_end|sections_end)(_cancel)?|__kmpc_(barrier|cancel_barrier|barrier_master)|pthread_barrier_wait)$/;

/** Those of a run's modules, at the guest's addresses. `images[i]` is the file of `modules[i]`. */
export function forkFunctions(
  modules: readonly ObservedModule[],
  images: readonly Image[],
): readonly ForkFunction[] {
  return modules.flatMap(({ base }, i) =>
    images[i].functions.flatMap(({ name, address }): ForkFunction[] => {
      if (name === undefined) return [];
      const at = (address + base) as Address;
      if (BARRIER.test(name)) return [{ kind: 'barrier', address: at }];
      const fork = FORKS.find((each) => each.name.test(name));
      return fork === undefined ? [] : [{ kind: 'fork', address: at, argument: fork.argument }];
    }),
  );
}
