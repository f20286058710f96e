/** Generated inputs: the same bytes every time, with words that repeat as those of texts do. */

function* randomWords(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state >>> 8;
  }
}

const SYLLABLES = ['ba', 'ke', 'li', 'mo', 'nu', 'ra', 'si', 'to', 'vu', 'ze', 'sch', 'tr'];

/** Lines of a few words and a number. */
export function text(lines: number): string {
  const random = randomWords(lines);
  const next = (below: number): number => random.next().value % below;
  const word = (): string => {
    // The product makes some words frequent.
    let rank = next(40) * next(40);
    let letters = '';
    for (let i = 0; i < 2 || rank > 0; i++) {
      letters += SYLLABLES[rank % SYLLABLES.length];
      rank = Math.floor(rank / SYLLABLES.length);
    }
    return letters;
  };
  return Array.from(
    { length: lines },
    () => `${Array.from({ length: 2 + next(8) }, word).join(' ')} ${next(100_000)}\n`,
  ).join('');
}

export const PI_DIGITS = `define s(n) { auto i, t; t = 0; for (i = 1; i <= n; i++) t += 1 / (i * i); return t }
scale = 90
4 * a(1)
e(1)
sqrt(2)
s(300)
2 ^ 2000 % 1000000007
`;

export const LUA = `local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local counts, words = {}, {}
for i = 1, 4000 do
  local word = string.format("w%d", (i * 7919) % 613)
  if not counts[word] then words[#words + 1] = word end
  counts[word] = (counts[word] or 0) + i / 3
end
table.sort(words, function(a, b) return counts[a] > counts[b] or (counts[a] == counts[b] and a < b) end)
for i = 1, 10 do print(words[i], counts[words[i]]) end
local parts = {}
for k, v in ("a=1, bee=22, see=333"):gmatch("(%w+)=(%w+)") do parts[#parts + 1] = k:upper() .. v:reverse() end
print(table.concat(parts, ";"), fib(20), math.sin(1), 2^0.5, 7 // 2, 7.5 % 2, 1e15, 255 | 256)
print(pcall(function() error({code = 7}) end), select("#", table.unpack({1, 2, 3})), #arg)
local co = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i * i) end end)
print(co(), co(), co())
`;

export const SQL = `create table t(id integer primary key, name text, value real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
  insert into t select i, 'name' || (i * 7919 % 1000), i * 0.37 from n;
create index by_name on t(name);
select name, count(*), round(sum(value), 3), max(id) from t group by name order by 3 desc limit 5;
select a.id, b.id from t a join t b on b.name = a.name and b.id > a.id order by a.id desc, b.id limit 5;
update t set value = value + length(name) where name like '%7';
select avg(value), total(value), group_concat(substr(name, 5), '-') from t where id % 500 = 0;
select hex('blob'), upper('done'), printf('%08.3f|%x', 3.14159, 255), json_extract('{"a":[1,2]}', '$.a[1]');
`;

export const AWK = `{ for (i = 1; i < NF; i++) count[$i]++; sum += $NF; if ($0 ~ /mo(ra|si)+/) hits++ }
END { for (word in count) { n++; if (count[word] > best) { best = count[word]; which = word } }
  printf "%d words, %d lines, sum %d, mean %.6f, best %s %d, hits %d\\n", n, NR, sum, sum / NR, which, best, hits
  print substr("abcdef", 2, 3), toupper("x"), length("four"), index("hay needle", "needle"), sqrt(2), int(-3.7)
  n = split("a:b:c", part, ":"); s = "aaa"; gsub(/a/, "<&>", s); print n, part[3], s }
`;

export const PERL = String.raw`my (%count, @order); while (<>) { for my $w (/\b([a-z]{3,})\b/g) { push @order, $w unless $count{$w}++; } s/(\d+)$/sprintf("%x", $1)/e; $sum += length; }
my @top = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
printf "%d %d %s %.6f\n", scalar @order, $sum, join(",", map { "$_=$count{$_}" } @top[0 .. 4]), sqrt($sum);
local $_ = "nested (a (b) c) end"; my $re; $re = qr/\((?:[^()]++|(??{$re}))*\)/; print "$&\n" if /$re/; print join("|", unpack("A3 n C", pack("A3 n C", "xy", 513, 65))), "\n";
my $s = ""; $s .= chr(97 + $_ * 7 % 26) for 1 .. 2000; (my $t = $s) =~ tr/a-m/A-M/; print length($t), ($t =~ tr/A-Z//), reverse(split //, substr($t, 0, 9)), "\n"; eval { die { code => 7 } }; print "caught $@->{code}\n";`;

export const PYTHON = `import sys
words = {}
for line in sys.stdin:
    for w in line.split(): words[w] = words.get(w, 0) + 1
print(sorted(words.items(), key=lambda p: (-p[1], p[0]))[:5])
class Node:
    def __init__(self, v): self.v, self.l, self.r = v, None, None
    def add(self, v):
        side = 'l' if v < self.v else 'r'
        k = getattr(self, side)
        if k: k.add(v)
        else: setattr(self, side, Node(v))
    def __iter__(self):
        if self.l: yield from self.l
        yield self.v
        if self.r: yield from self.r
root = Node(500)
for i in range(300): root.add(i * 7919 % 1009)
print(sum(x * i for i, x in enumerate(root)), 2 ** 500 % (10 ** 9 + 7), f"{1 / 3:.12f}", [x for x in range(60) if all(x % d for d in range(2, x)) and x > 1])
try: {}['missing']
except KeyError as e: print(repr(e), "naïve".upper().encode('utf-8'), hash("fixed") == hash("fixed"))
`;

export const JSON_FILTER =
  '[split("\\n")[] | select(length > 0) | split(" ")] | {lines: length, words: (map(length) | add), longest: (flatten | max_by(length)), sums: (map(last | tonumber) | [add, min, max]), grouped: (flatten | group_by(length) | map({k: (.[0] | length), n: length}))}';

export const C_SOURCE = `typedef unsigned long size_t; int printf(const char *, ...); void *malloc(size_t);
struct P { int x, y; double z; struct P *next; };
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static double sum(struct P *p) { double s = 0; for (; p; p = p->next) s += p->z * p->x - p->y; return s; }
static unsigned hash(const char *s) { unsigned h = 5381; while (*s) h = h * 33 ^ (unsigned char)*s++; return h; }
int matrix(int n, int a[n][n], int b[n][n]) { int t = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) t += a[i][k] * b[k][j]; return t; }
int main(void) {
  struct P *list = 0;
  for (int i = 0; i < 20; i++) { struct P *p = malloc(sizeof *p); *p = (struct P){i, fib(i % 10), i / 3.0, list}; list = p; }
  int a[6][6], b[6][6];
  for (int i = 0; i < 36; i++) a[i / 6][i % 6] = i, b[i % 6][i / 6] = i * i % 7;
  switch (matrix(6, a, b) % 5) { case 0: printf("zero "); break; case 3: printf("three "); default: printf("other "); }
  return printf("%g %u\\n", sum(list), hash("a text")) > 99;
}
`;

export const CPP_SOURCE = `namespace n { template <class T> struct V { T *b = nullptr; unsigned n = 0; ~V() { delete[] b; } void add(T v) { T *c = new T[n + 1]; for (unsigned i = 0; i < n; i++) c[i] = b[i]; c[n++] = v; delete[] b; b = c; } }; }
struct Base { virtual ~Base() {} virtual int f() const = 0; };
template <int N> struct D : Base { int f() const override { if constexpr (N > 3) throw N; else return N; } };
int g() { n::V<const Base *> v; D<1> a; D<5> b; v.add(&a); v.add(&b); int s = 0; for (unsigned i = 0; i < v.n; i++) try { s += v.b[i]->f(); } catch (int x) { s += x * 10; } auto l = [&](auto y) { return y + s; }; return l(2) + static_cast<int>(l(2.5)); }
`;

/** Go that gofmt has much to do for: so many functions. */
export function goSource(functions: number): string {
  const methods = Array.from(
    { length: functions },
    (_, i) => `func (x *t) f${i}( n int ) (int,error) {
for i:=0;i<n;i++ { if i%2==0 { continue } ; x.a+=i*${i} }
switch { case n>3: return x.a,nil
default: return ${i}, fmt.Errorf("x %d",n) } }
`,
  );
  return `package main
import "fmt"
type t struct { a int; longer string // comment
  b   map[string]int }
${methods.join('')}
func main() { x := t{a:1,
 longer:"s", b:map[string]int{"k":1,"key":22}}
fmt.Println( x.f0(4) ) }
`;
}

/** A WebAssembly module whose function adds two numbers. */
const ADD = '0061736d0100000001070160027f7f017f030201000707010361646400000a09010700200020016a0b';

export const JAVASCRIPT = `
const { add } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from('${ADD}', 'hex'))).exports;
let sum = 0;
for (let i = 0; i < 20000; i++) sum = add(Math.imul(sum, 31), i);
console.log(sum, Math.sin(sum), JSON.stringify({ list: [...'abc'].map((letter) => letter.charCodeAt(0)) }));
console.log('abcd'.replace(/b(c)/, '[$1]'), new Map(Object.entries(process.versions)).size > 3);
console.log(require('crypto').createHash('sha256').update('x').digest('hex'));
require('fs').writeFileSync('file', 'written');
require('fs').promises.readFile('file', 'utf8').then((text) => {
  console.log(text);
  setTimeout(() => console.log('later'), 5);
  setImmediate(() => console.log('soon'));
});
`;

export const XML = `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e "text">]><r>${Array.from(
  { length: 300 },
  (_, i) => `<i n="${i}"><v>${(i * 7919) % 1009}</v>&e; &lt;</i>`,
).join('')}</r>
`;

export const ASSEMBLY = `section .text
global f
%macro step 2
  %rep %1
  lea rax, [rax+rdi*%2+1]
  %endrep
%endmacro
${Array.from(
  { length: 200 },
  (_, i) => `f${i}: step ${1 + (i % 5)}, 4
  cmp rax, ${i * 1000}
  jbe f${(i * 7) % 200}
  vaddpd ymm${i % 16}, ymm1, [rsi+rcx*8+${i}]
`,
).join('')}f: ret
`;

export const GRAMMAR = `%token NUMBER NAME IF ELSE WHILE
%left '+' '-'
%left '*' '/'
%precedence NEG
%%
program: %empty | program statement;
statement: expression ';' | IF '(' expression ')' statement ELSE statement | WHILE '(' expression ')' statement | '{' program '}';
expression: NUMBER | NAME | expression '+' expression | expression '-' expression | expression '*' expression
  | expression '/' expression | '-' expression %prec NEG | '(' expression ')' | NAME '(' arguments ')';
arguments: %empty | some; some: expression | some ',' expression;
%%
`;

/** Satisfiable or not is for the solver to say: three literals a clause, where that is hard to tell. */
export const CLAUSES = ((): string => {
  const random = randomWords(7);
  const literal = (): number => (1 + (random.next().value % 100)) * (random.next().value % 2 === 0 ? 1 : -1);
  const clauses = Array.from({ length: 420 }, () => `${literal()} ${literal()} ${literal()} 0`);
  return `p cnf 100 420\n${clauses.join('\n')}\n`;
})();
