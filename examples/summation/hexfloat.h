/* Hexadecimal floating point as musl's %a writes it, without its long double arithmetic. */
#ifndef HEXFLOAT_H
#define HEXFLOAT_H

#define HEXFLOAT_SIZE 32

/* Writes the text and a final 0 to out, which has HEXFLOAT_SIZE bytes; returns the length. */
unsigned format_hex(double value, char *out);

#endif
