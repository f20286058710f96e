import { Decoder, DecoderOptions, Formatter, FormatterSyntax } from 'iced-x86';

/** The instruction at an address as people read it: Intel syntax, hexadecimal with 0x. */
export function formatInstruction(bytes: Uint8Array, address: number): string {
  const decoder = new Decoder(64, bytes, DecoderOptions.None);
  decoder.ip = BigInt(address);
  const instruction = decoder.decode();
  const formatter = new Formatter(FormatterSyntax.Intel);
  formatter.hexPrefix = '0x';
  formatter.hexSuffix = '';
  formatter.spaceAfterOperandSeparator = false;
  formatter.firstOperandCharIndex = 0;
  const text = formatter.format(instruction);
  formatter.free();
  instruction.free();
  decoder.free();
  return text;
}
