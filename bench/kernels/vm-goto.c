/* The same stack machine with computed goto: an indirect jump at the end of each operation. */
#include "bytecode.h"
#include "kernel.h"

static int64_t variables[8], table[64], stack[64];

static KEEP int64_t run(const int32_t *code) {
  static const void *const labels[OPERATIONS] = {
      &&load, &&store, &&push,    &&add,  &&sub,  &&mul, &&mod,  &&get,
      &&put,  &&jump_if, &&jump, &&less, &&dup, &&drop, &&halt,
  };
  const int32_t *pc = code;
  int64_t *top = stack; /* the next free slot */
#define NEXT goto *labels[*pc++]
  NEXT;
load: *top++ = variables[*pc++]; NEXT;
store: variables[*pc++] = *--top; NEXT;
push: *top++ = *pc++; NEXT;
add: top--, top[-1] += top[0]; NEXT;
sub: top--, top[-1] -= top[0]; NEXT;
mul: top--, top[-1] *= top[0]; NEXT;
mod: top--, top[-1] %= top[0]; NEXT;
get: top[-1] = table[top[-1] & 63]; NEXT;
put: top -= 2, table[top[0] & 63] = top[1]; NEXT;
jump_if: pc = *--top != 0 ? code + *pc : pc + 1; NEXT;
jump: pc = code + *pc; NEXT;
less: top--, top[-1] = top[-1] < top[0]; NEXT;
dup: top[0] = top[-1], top++; NEXT;
drop: top--; NEXT;
halt: return *--top;
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
