/** A pass that has seen all it needs ends so. */
export class PassOver extends Error {}
