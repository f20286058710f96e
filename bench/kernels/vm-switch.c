/* A stack machine that dispatches by a switch: one indirect jump for all operations. */
#include "bytecode.h"
#include "kernel.h"

static int64_t variables[8], table[64], stack[64];

static KEEP int64_t run(const int32_t *code) {
  const int32_t *pc = code;
  int64_t *top = stack; /* the next free slot */
  for (;;) {
    switch (*pc++) {
      case LOAD: *top++ = variables[*pc++]; break;
      case STORE: variables[*pc++] = *--top; break;
      case PUSH: *top++ = *pc++; break;
      case ADD: top--, top[-1] += top[0]; break;
      case SUB: top--, top[-1] -= top[0]; break;
      case MUL: top--, top[-1] *= top[0]; break;
      case MOD: top--, top[-1] %= top[0]; break;
      case GET: top[-1] = table[top[-1] & 63]; break;
      case PUT: top -= 2, table[top[0] & 63] = top[1]; break;
      case JUMP_IF: pc = *--top != 0 ? code + *pc : pc + 1; break;
      case JUMP: pc = code + *pc; break;
      case LESS: top--, top[-1] = top[-1] < top[0]; break;
      case DUP: top[0] = top[-1], top++; break;
      case DROP: top--; break;
      case HALT: return *--top;
    }
  }
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 10);
  uint64_t sum = 0;
  for (uint64_t r = 0; r < repetitions; r++) {
    variables[2] = 10000;
    sum = sum * 31 + (uint64_t)run(program);
  }
  return checksum(sum);
}
