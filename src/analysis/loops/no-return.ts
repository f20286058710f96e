import type { Image } from '../../elf/image.ts';
import { importNames } from '../../elf/imports.ts';
import type { FunctionNames } from '../../elf/names.ts';
import { sweep } from '../../x86/sweep.ts';
import type { FunctionCode, ImageBytes } from './code.ts';

/** Functions of the C and C++ libraries that do not come back. */
const NAMES = new RegExp(
  '^(?:_?exit|_Exit|quick_exit|abort|__assert_fail|__assert|__stack_chk_fail|__fortify_fail|__chk_fail|_?_?longjmp(?:_chk)?|' +
    'siglongjmp|__cxa_throw|__cxa_rethrow|__cxa_bad_cast|__cxa_bad_typeid|__cxa_throw_bad_array_new_length|' +
    '__cxa_call_unexpected|__cxa_call_terminate|__clang_call_terminate|_Unwind_Resume|_ZSt9terminatev|_ZSt10unexpectedv|' +
    '_ZSt\\d+__throw_\\w+|_ZN9__gnu_cxx\\w*throw\\w*|pthread_exit|err|errx|verr|verrx|_gfortran_stop_\\w+|_gfortran_os_error\\w*|' +
    '_gfortran_error_stop_\\w+|_gfortran_runtime_error(?:_at)?|__libc_start_main|rust_begin_unwind)$',
);

/** Knows what a program calls: names, and whether it never comes back, so that what stands behind the call does not follow it. */
export interface Callees {
  nameOf(address: number): string | undefined;
  neverReturns(address: number): boolean;
}

/**
 * By name; and of the program's own functions those that have no return, jump nowhere outside and not indirectly.
 * `externals` are names of addresses that the image does not hold.
 */
export function calleesOf(
  image: Image,
  functions: readonly FunctionCode[],
  externals: ReadonlyMap<number, string>,
  names: FunctionNames,
  code: ImageBytes,
): Callees {
  const imports = importNames(image);
  const own = new Map(functions.map((each) => [each.start, each]));
  const known = new Map<number, boolean>();
  const symbolOf = (address: number): string | undefined =>
    externals.get(address) ?? imports.get(address) ?? own.get(address)?.name;
  const decide = (address: number): boolean => {
    const name = symbolOf(address);
    if (name !== undefined && NAMES.test(name)) return true;
    const callee = own.get(address);
    return callee !== undefined && hasNoWayBack(callee, code);
  };
  return {
    nameOf(address) {
      const symbol = symbolOf(address);
      return symbol && names.shown(symbol);
    },
    neverReturns(address) {
      const before = known.get(address);
      if (before !== undefined) return before;
      const result = decide(address);
      known.set(address, result);
      return result;
    },
  };
}

/** Compilers leave no return in a function that never comes back. Longer ones are not looked at. */
const LONGEST = 4096;

function hasNoWayBack({ start, end }: FunctionCode, code: ImageBytes): boolean {
  if (end - start > LONGEST) return false;
  const { events } = sweep(code.at(start, end - start), start);
  const ends = events.some(({ flow }) => flow === 'call' || flow === 'stop' || flow === 'indirect-call');
  return (
    ends &&
    events.every(({ flow, target }) => {
      if (flow === 'return' || flow === 'indirect-jump') return false;
      if (flow !== 'jump' && flow !== 'conditional') return true;
      return target !== undefined && target >= start && target < end;
    })
  );
}
