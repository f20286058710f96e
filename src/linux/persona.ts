/** Bits of personality(2), as linux/personality.h has them. */

/** Programs that want addresses to stay the same ask for it and start anew: here they do anyway. */
export const ADDR_NO_RANDOMIZE = 0x4_0000;
/** What is mapped readable can be executed. */
export const READ_IMPLIES_EXEC = 0x40_0000;
