/** The one network interface that there is, which leads back: processes reach each other by it. */
export const NAME = 'lo';
export const INDEX = 1;
export const ADDRESS: readonly number[] = [127, 0, 0, 1];
export const MASK_BITS = 8;
export const MTU = 65_536;
export const QUEUE_LENGTH = 1000;
/** ARPHRD_LOOPBACK */
export const LOOPBACK_TYPE = 772;
/** IFF_UP, IFF_LOOPBACK, IFF_RUNNING, IFF_LOWER_UP. */
export const STATE = 0x1_0049;
