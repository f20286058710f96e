/** Byte strings: file names and other guest strings as JavaScript strings of one character a byte. */

export function fromBytes(bytes: Uint8Array): string {
  // A spread asks the iterator of the bytes for each: five times as long for a path of 40.
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + CHUNK));
  return text;
}

/** Arguments of one call that every JavaScript engine accepts. */
const CHUNK = 4096;

export function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Ordinary text (a command line, say) as the byte string of its UTF-8 form. */
export function fromText(text: string): string {
  return fromBytes(new TextEncoder().encode(text));
}

/** For messages and reports. */
export function toText(bytes: string): string {
  return new TextDecoder().decode(toBytes(bytes));
}
