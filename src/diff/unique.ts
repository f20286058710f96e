/** Values by key, without the keys that several values have. */
export function unique<T>(values: readonly T[], key: (value: T) => string): Map<string, T> {
  const found = new Map<string, T>();
  const repeated = new Set<string>();
  for (const value of values) {
    const name = key(value);
    if (found.has(name)) repeated.add(name);
    found.set(name, value);
  }
  for (const name of repeated) found.delete(name);
  return found;
}
