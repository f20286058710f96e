/** Pieces of canonical JSON: a record as one line, in the order of its keys, and lists of such lines. */
type Scalar = string | number | boolean | undefined;

export function row<Key extends string>(
  value: Readonly<Partial<Record<Key, Scalar>>>,
  keys: readonly Key[],
): string {
  const members = inner(value, keys);
  return members === '' ? '{}' : `{ ${members} }`;
}

export function inner<Key extends string>(
  value: Readonly<Partial<Record<Key, Scalar>>>,
  keys: readonly Key[],
): string {
  return keys
    .filter((key) => value[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}: ${JSON.stringify(value[key])}`)
    .join(', ');
}

export function list(rows: readonly string[], indent = '  '): string {
  if (rows.length === 0) return '[]';
  return `[\n${rows.map((each) => `${indent}  ${each}`).join(',\n')}\n${indent}]`;
}
