declare const brand: unique symbol;

/** A distinct type over a primitive: an address is not a count, although both are numbers. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** A virtual address of the guest, below 2^32 in every layout we use. */
export type Address = Brand<number, 'Address'>;
