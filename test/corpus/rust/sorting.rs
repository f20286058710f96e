// Sorts: stable, unstable, by key, of strings, with a generator of its own; searches and selections.
struct Random(u64);
impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
fn hash<T: std::hash::Hash>(v: &[T]) -> u64 {
    use std::hash::Hasher;
    let mut h = std::collections::hash_map::DefaultHasher::new();
    for x in v {
        x.hash(&mut h);
    }
    h.finish()
}

fn main() {
    let mut r = Random(88172645463325252);
    let v: Vec<u64> = (0..2000).map(|_| r.next() % 5000).collect();
    let mut a = v.clone();
    a.sort();
    let mut b = v.clone();
    b.sort_unstable_by(|x, y| y.cmp(x));
    let mut c: Vec<(u64, usize)> = v.iter().copied().zip(0..).collect();
    c.sort_by_key(|p| p.0 % 10);
    println!("{:x} {:x} {:x} {}", hash(&a), hash(&b), hash(&c), a.iter().eq(b.iter().rev()));
    let mut s: Vec<String> = v.iter().take(300).map(|x| format!("{:b}", x)).collect();
    s.sort_by(|x, y| x.len().cmp(&y.len()).then_with(|| y.cmp(x)));
    s.dedup();
    println!("{:x} {} {}", hash(&s), s[0], s[s.len() - 1]);
    let mut d = v.clone();
    let (_, median, _) = d.select_nth_unstable(1000);
    println!("{} {} {:?}", median, a.partition_point(|&x| x < 2500), a.binary_search(&9999));
    d.rotate_right(5);
    d.swap(0, 1999);
    d[10..500].reverse();
    println!("{:x} {}", hash(&d), a.is_sorted_by_hand());
}
trait Sorted {
    fn is_sorted_by_hand(&self) -> bool;
}
impl Sorted for Vec<u64> {
    fn is_sorted_by_hand(&self) -> bool {
        self.windows(2).all(|w| w[0] <= w[1])
    }
}
