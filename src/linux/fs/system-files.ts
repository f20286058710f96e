/**
 * Where packages are installed, with what of them is configuration: Debian's /usr/lib/python3.11/sitecustomize.py is a link to
 * /etc. Whatever lies elsewhere, somebody may have put there by other means.
 */
const SYSTEM = ['/usr', '/etc'];

/** Directories of it in which nobody's own work lies. */
const INSIDE = ['bin', 'include', 'lib', 'lib32', 'lib64', 'libexec', 'sbin', 'share'].map(
  (name) => `/usr/${name}`,
);

export const isOfSystem = (origin: string): boolean => SYSTEM.some((path) => origin.startsWith(`${path}/`));

/**
 * Whether a directory is one of the system's, or above them: who works there does not mean that all of it is their work. A
 * container begins in `/`, as root.
 */
export const holdsSystem = (directory: string): boolean =>
  directory === '/' ||
  SYSTEM.includes(directory) ||
  INSIDE.some((path) => `${directory}/`.startsWith(`${path}/`));
