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
