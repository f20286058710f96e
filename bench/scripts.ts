/** What the interpreters among the real programs run. Each prints a few lines that depend on all of its work. */

/** So many rows. */
export const sql = (
  rows: number,
): string => `create table item(id integer primary key, name text, shop integer, price real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
  insert into item select i, 'name' || (i * 7919 % 10007), i * 31 % 97, (i * 613 % 9973) * 0.25 from n;
create index by_name on item(name);
create index by_shop on item(shop, price);
select shop, count(*), round(sum(price), 2), max(name) from item group by shop order by 3 desc, 1 limit 5;
select a.id, b.id from item a join item b on b.name = a.name and b.id > a.id order by a.id desc, b.id limit 5;
update item set price = price + length(name) where name like '%7';
delete from item where shop between 20 and 30 and price > 1200;
select count(*), round(avg(price), 4), min(id), max(id) from item where name glob 'name[1-4]*';
select shop, (select count(*) from item i where i.shop = s.shop and i.price < 500) from
  (select distinct shop from item) s order by 2 desc, 1 limit 5;
`;

export const PYTHON = `import collections, json, re
counts = {}
for i in range(60000):
    key = str(i * 7 % 10007)
    counts[key] = counts.get(key, 0) + i
print(sum(counts.values()), len(json.dumps(counts)))

words = " ".join("w%d" % (i * 7919 % 4001) for i in range(40000))
print(collections.Counter(re.findall("[1-5]+", words)).most_common(3))

class Line:
    def __init__(self, slope):
        self.slope = slope
    def at(self, x):
        return self.slope * x + 1

line, total = Line(3), 0
for i in range(100000):
    total += line.at(i)
print(total, sorted(str(i) for i in range(30000))[5])
`;

export const LUA = `local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print(fib(26))

local size = 200000
local composite, primes = {}, 0
for i = 2, size do
  if not composite[i] then
    primes = primes + 1
    for j = i * i, size, i do composite[j] = true end
  end
end
print(primes)

local counts, words = {}, {}
for i = 1, 60000 do
  local word = string.format("w%d", (i * 7919) % 4001)
  if not counts[word] then words[#words + 1] = word end
  counts[word] = (counts[word] or 0) + i / 3
end
table.sort(words, function(a, b) return counts[a] > counts[b] or (counts[a] == counts[b] and a < b) end)
for i = 1, 5 do print(words[i], counts[words[i]]) end

local Point = {}
Point.__index = Point
Point.__add = function(a, b) return setmetatable({x = a.x + b.x, y = a.y * 0.5 + b.y}, Point) end
local at = setmetatable({x = 0, y = 0}, Point)
for i = 1, 50000 do at = at + setmetatable({x = i, y = 1 / i}, Point) end
print(at.x, at.y)

local text = string.rep("key=value; other=123, ", 2000)
local pairsFound, digits = 0, 0
for k, v in text:gmatch("(%w+)=(%w+)") do pairsFound = pairsFound + #k; digits = digits + (tonumber(v) or 0) end
print(pairsFound, digits, (text:gsub("[aeiou]", {a = "4", e = "3"})):sub(1, 22))
`;

export const PERL = `use strict;
my (%count, %follows, $numbers, $doubled, $swapped);
open(my $in, '<', $ARGV[0]) or die;
while (my $line = <$in>) {
  $numbers += $1 if $line =~ /(\\d+)$/;
  $doubled++ while $line =~ /\\b([a-z]{2})\\1/g;
  $swapped++ if $line =~ s/\\b(\\w+) (\\w+)\\b/$2 $1/;
  my $before = '';
  for my $word (split /[^a-z]+/, $line) {
    $count{$word}++;
    $follows{"$before $word"} .= chr(97 + length($word) % 26);
    $before = $word;
  }
}
my @words = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
printf "%s %d\\n", $_, $count{$_} for @words[0 .. 9];
my $longest = (sort { length $follows{$b} <=> length $follows{$a} || $a cmp $b } keys %follows)[0];
printf "%d words, sum %d, doubled %d, swapped %d, longest '%s'\\n", scalar(@words), $numbers, $doubled, $swapped, $longest;
`;

export const BC = `define s(n) { auto i, t; t = 0; for (i = 1; i <= n; i++) t += 1 / (i * i); return t }
define f(n) { if (n < 2) return n; return f(n - 1) + f(n - 2) }
scale = 400
4 * a(1)
e(1)
sqrt(2)
scale = 60
s(4000)
f(19)
scale = 0
2 ^ 20000 % 1000000007
3 ^ 9000 / 7 ^ 4000 % 1000000009
`;
