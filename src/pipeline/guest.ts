import { Failure } from '../base/failure.ts';
import { absolute, withDebugFiles } from '../elf/debug-file.ts';
import type { Image } from '../elf/image.ts';
import { parseImage } from '../elf/parse.ts';
import type { Guest } from '../emulator/guest.ts';
import { toText } from '../linux/bytes.ts';
import { frozenDisk } from '../linux/frozen-disk.ts';
import type { Input, Output } from '../linux/ports.ts';
import { processorFacts } from '../x86/features.ts';
import type { MeasurePorts } from './ports.ts';
import type { MeasureRequest } from './request.ts';

/** What of the host a guest is made with. */
type GuestPorts = Pick<MeasurePorts, 'disk' | 'imageTools' | 'betweenSlices' | 'hasher'>;

interface Around {
  readonly input: Input;
  readonly output: Output;
  readonly progress: (instructions: number) => void;
}

/** The program that a request names, as passes run it; and a digest of each answer that the disk has given by then. */
export function guestOf(
  request: MeasureRequest,
  ports: GuestPorts,
  { input, output, progress }: Around,
): {
  readonly guest: Guest;
  readonly digestsOfDisk: () => ReadonlyMap<string, string>;
  /** Throws Failure `file-changed` where somebody wrote to a file that the guest has opened. */
  readonly requireUnchanged: () => void;
} {
  const processor = processorFacts(request.isa);
  const images = new Map<Uint8Array, Image>();
  const parse = (path: string, bytes: Uint8Array): Image => {
    const known = images.get(bytes);
    if (known?.path === path) return known;
    const image = withDebugFiles(
      parseImage(path, bytes),
      absolute(request.workingDirectory, path),
      ports.imageTools.readDebugFile,
    );
    images.set(bytes, image);
    return image;
  };
  const disk = frozenDisk(ports.disk);
  return {
    guest: {
      command: {
        program: request.program,
        args: request.args,
        env: request.env,
        hwcap: processor.hwcap,
        hwcap2: processor.hwcap2,
      },
      isa: request.isa,
      directory: request.workingDirectory,
      disk,
      input,
      output,
      parseImage: parse,
      demangle: ports.imageTools.demangle,
      ...(request.fuel !== undefined && { fuel: request.fuel }),
      progress: (instructions) => {
        ports.betweenSlices?.();
        progress(instructions);
      },
    },
    requireUnchanged: () => {
      const path = disk.changed();
      if (path !== undefined) throw changed(toText(path));
    },
    digestsOfDisk: () =>
      new Map(
        [...disk.told()].map(([question, answer]) => [
          question,
          ports.hasher.sha256(answer, [{ start: 0, end: answer.length }]),
        ]),
      ),
  };
}

/** Failure `file-changed`. */
export function changed(path: string): Failure {
  return new Failure(
    'environment',
    'file-changed',
    `${path}, which the program reads, was written to while it was measured: measure again when nobody does`,
    { path },
  );
}
