// Vec, VecDeque, HashMap, BTreeMap, sets, BinaryHeap; hash order is never printed.
use std::collections::*;

fn main() {
    let mut v: Vec<i64> = (0..500).map(|i| (i * 7919) % 1009).collect();
    v.sort_unstable();
    v.dedup();
    v.retain(|x| x % 3 != 0);
    println!("{} {:?} {:?}", v.len(), &v[..5], v.binary_search(&100));
    let mut d: VecDeque<_> = v.iter().copied().take(20).collect();
    d.rotate_left(7);
    d.push_front(-1);
    println!("{:?} {:?}", d.front(), d.iter().rev().take(3).collect::<Vec<_>>());
    let mut counts = HashMap::new();
    for w in "the quick brown fox jumps over the lazy dog the end".split(' ') {
        *counts.entry(w).or_insert(0) += 1;
    }
    let mut list: Vec<_> = counts.into_iter().collect();
    list.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    println!("{:?}", list);
    let mut tree = BTreeMap::new();
    for i in 0..2000u64 {
        tree.insert((i * 2654435761) % 10007, i);
    }
    println!("{} {:?} {:?}", tree.len(), tree.range(500..).next(), tree.iter().next_back());
    for k in (0..10007).step_by(3) {
        tree.remove(&k);
    }
    println!("{} {}", tree.len(), tree.iter().map(|(k, v)| k ^ v).fold(0, |a, b| a * 31 % 1000003 + b));
    let a: BTreeSet<_> = (0..30).step_by(2).collect();
    let b: BTreeSet<_> = (0..30).step_by(3).collect();
    println!("{:?} {:?}", a.intersection(&b).collect::<Vec<_>>(), b.difference(&a).collect::<Vec<_>>());
    let mut heap: BinaryHeap<_> = v.iter().map(|x| std::cmp::Reverse(x * 37 % 101)).collect();
    print!("{:?} ", heap.pop());
    println!("{:?} {}", heap.into_sorted_vec().last(), (1..100).collect::<HashSet<i32>>().len());
}
