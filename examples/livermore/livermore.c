/* livermore KERNEL [REPETITIONS]: runs one of the kernels and prints what the sum of its results is. */
#include <stdio.h>
#include <stdlib.h>

#include "livermore.h"

/* The elements that each takes, as in the original's longest span. */
static const struct {
    void (*run)(int n);
    int n;
} kernels[KERNELS] = {
    { kernel1, 1001 }, { kernel2, 101 }, { kernel3, 1001 }, { kernel4, 1001 },
    { kernel5, 1001 }, { kernel6, 64 }, { kernel7, 995 }, { kernel8, 100 },
    { kernel9, 101 }, { kernel10, 101 }, { kernel11, 1001 }, { kernel12, 1000 },
};

/* 0 where the text is no whole number from 1 to `most`. */
static long whole_number(const char *text, long most)
{
    char *end;
    long number = strtol(text, &end, 10);
    return *text != '\0' && *end == '\0' && number >= 1 && number <= most ? number : 0;
}

int main(int argc, char **argv)
{
    long kernel = argc == 2 || argc == 3 ? whole_number(argv[1], KERNELS) : 0;
    long repetitions = argc == 3 ? whole_number(argv[2], 1000000000) : 1;
    if (kernel == 0 || repetitions == 0) {
        fprintf(stderr, "usage: livermore KERNEL [REPETITIONS]\nKERNEL is 1 to %d\n", KERNELS);
        return 2;
    }
    fill();
    for (long i = 0; i < repetitions; i++)
        kernels[kernel - 1].run(kernels[kernel - 1].n);
    printf("kernel %ld, %ld repetitions: %.17g\n", kernel, repetitions, checksum((int)kernel));
    return 0;
}
