import { isGo } from './go/table.ts';
import type { FunctionSymbol, Image } from './image.ts';

/** The function in which a program's author begins. Of Go that is its package's, whatever C code starts the runtime. */
export function mainFunction(image: Image): FunctionSymbol | undefined {
  const named = (wanted: string) => image.functions.find(({ name }) => name === wanted);
  return (isGo(image) ? named('main.main') : undefined) ?? named('main');
}
