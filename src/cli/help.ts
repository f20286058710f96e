/** What `--help` shows after the options: how the commands are used, by example. */
export const GENERAL_HELP = `
ilp-gate runs x86-64 Linux programs in its own deterministic emulator and counts
  instructions  executed by the program
  cycles        of an ideal machine that waits for nothing but results
  ILP           instructions per cycle
The same program, arguments and input give the same numbers on every machine.

Start here:
  ilp-gate measure -- ./program arg       run a program and see its numbers
  ilp-gate update                         write the baselines, to be committed
  ilp-gate check                          compare with them; exit status 1 on a regression

Exit status of check, update and diff: 0 passed, 1 regression, 2 usage, configuration or
environment, 3 a program could not be run or did not end as expected.`;

export const MEASURE_HELP = `
Everything after "--" is the program and its arguments. Its stdin, stdout, stderr and exit
status are passed through (128 + n when signal n ends it); the summary goes to stderr.
Exit status 125: ilp-gate could not start; 126: the program cannot be run here.
To follow a longest chain takes several times as long as to count, so the summary and the profile
hold those asked for: with --chain, else of each --function.
With --machine, the loops of the run are bounded for that processor, too; the program is run twice.

Examples:
  ilp-gate measure -- ./sum 10000
  ilp-gate measure --function dot -- ./bench input.txt
  ilp-gate measure --chain run -- ./sum 10000
  ilp-gate measure --json profile.json -- ./sum 10000
  ilp-gate measure --machine zen5 --html report.html -- ./sum 10000
  ilp-gate measure --function dot --html report.html -- ./bench input.txt
  ilp-gate measure --json - -- ./sum 10000 | jq .total`;

const CONFIG_EXAMPLE = `
ilp-gate.yml:
  build: make
  targets:
    - name: sum
      command: ./sum 10000
      functions: [sum]
  limits:
    instructions: +1%        0 when left out: not one more
    cycles: +500
    ilp: -2%                 not limited when left out
    macs: 0                  of each loop, cycles per iteration; needs "machine"; also
                             mac, run-time-bound; not limited when left out
    functions:
      parse: { cycles: +5% }
      "*": none              every other function
  machine: skylake           bound the loops for it; no bounds when left out`;

export const CHECK_HELP = `
Runs the build command, measures every target and compares it with its committed baseline
(.ilp-gate/TARGET.json). The report says which limits are exceeded and which source lines did it.
Targets are measured side by side; the report is the same whatever --jobs is. Longest chains are
followed only where a limit on cycles or ILP is exceeded, to say why.
${CONFIG_EXAMPLE}

Examples:
  ilp-gate check
  ilp-gate check --target sum --format markdown --output report.md`;

export const UPDATE_HELP = `
Runs the build command, measures every target and writes its baseline, to be committed with the
change that explains it. Nothing is written unless every target succeeds. A baseline holds the
longest chains of the run and of the functions that the configuration names.

Examples:
  ilp-gate update
  ilp-gate update --target sum`;

export const DIFF_HELP = `
Compares two profiles that "measure --json FILE" or "update" wrote. Without --config nothing may
get worse; with it, the limits of the target that HEAD.json names apply. Why cycles grew is said
where both hold the chain: a baseline does, "measure" adds it with --chain or --function.

Examples:
  ilp-gate diff before.json after.json
  ilp-gate diff --format markdown before.json after.json`;

export const BOUNDS_HELP = `
With "-- PROGRAM", the program is run, its loops are found in the machine code of everything that
it loads, and bounded with how often each part was executed and with the dependences through
memory that the run had. Loops that hold a thousandth of the instructions are shown, the largest
first; those of each --function in any case. Sources below the working directory add M and MA.
The program's stdout goes to stderr, and the files that it writes are thrown away.

Of a source file: what an iteration of each loop cannot do without (additions, multiplications,
pairs of both, loads, stores, what waits for the iteration before) and the cycles that the machine
takes for it at least. M counts the floating-point operations alone, MA all of it. Headers are read
beside the source and in the directories above it with their include, inc and src; -I names others.

Of a file of machine code: MAC, the compiled instructions ideally scheduled, and MACS, as the
machine schedules them, in cycles per iteration of the source's loop, everything in the
first-level cache. "--format macstat" counts instructions by type as K-MACSTAT does.

With --machine ksr1, FILE is a two-column listing of KSR assembly code; its source adds M and MA.

With --blocks, cycles are per repetition of a block that is repeated in a row without a branch
and met for the first time. Instructions that the model does not know count as one addition
and are listed.

Examples:
  ilp-gate bounds --machine zen5 -- ./program input.txt
  ilp-gate bounds --machine zen5 --hardware -- ./program input.txt
  ilp-gate bounds --function dot --json - -- ./program | jq .loops[0].bounds
  ilp-gate bounds --machine zen4 --isa x86-64-v3 kernel.c
  ilp-gate bounds -I lib/include -D N=1000 src/kernel.c
  ilp-gate bounds --machine zen5 ./kernel.o
  ilp-gate bounds --function dot --json - ./program | jq .loops[0].bounds
  ilp-gate bounds --machine skylake --blocks blocks.csv
  ilp-gate bounds --machine zen4 --blocks blocks.csv --json - | jq .blocks[0]
  ilp-gate bounds --machine ksr1 kernel.s
  ilp-gate bounds --machine ksr1 kernel.s --source kernel.f
  ilp-gate bounds --machine ksr1 kernel.s --counts counts.csv --format macstat`;

export const MACHINES_HELP = `
A file of your own needs only what differs from a machine that it names with "extends":
  { "format": "ilp-gate/machine", "version": 1, "name": "mine", "extends": "skylake",
    "overlay": [{ "match": "imul r64,r64", "latency": 4, "source": "measured" }] }

Examples:
  ilp-gate machines
  ilp-gate machines zen5`;
