/* The program that both interpreters run: sum of squares modulo a prime, with a loop, a table and a branch. */
#ifndef BYTECODE_H
#define BYTECODE_H

#include <stdint.h>

enum { LOAD, STORE, PUSH, ADD, SUB, MUL, MOD, GET, PUT, JUMP_IF, JUMP, LESS, DUP, DROP, HALT, OPERATIONS };

/* Variables: 0 = i, 1 = sum, 2 = limit. */
static const int32_t program[] = {
    /*  0 */ PUSH,  0,     STORE,   0,
    /*  4 */ LOAD,  0,     LOAD,    2,    LESS,            /* i < limit */
    /*  9 */ JUMP_IF, 14,  LOAD,    1,    HALT,
    /* 14 */ LOAD,  0,     DUP,     MUL,  PUSH, 8191, MOD, /* i * i % 8191 */
    /* 21 */ LOAD,  1,     ADD,     STORE, 1,
    /* 26 */ LOAD,  1,     PUSH,    63,   MOD,  DUP, GET,  /* table[sum % 63] */
    /* 33 */ LOAD,  1,     SUB,     DROP,
    /* 37 */ LOAD,  0,     PUT,                            /* table[sum % 63] = i */
    /* 40 */ LOAD,  0,     PUSH,    1,    ADD,  STORE, 0,
    /* 47 */ JUMP,  4,
};

#endif
