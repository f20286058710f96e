// Chains of adaptors, own iterators, windows, zips, folds, peeking.
struct Collatz(u64);
impl Iterator for Collatz {
    type Item = u64;
    fn next(&mut self) -> Option<u64> {
        if self.0 == 1 {
            return None;
        }
        self.0 = if self.0 % 2 == 0 { self.0 / 2 } else { 3 * self.0 + 1 };
        Some(self.0)
    }
}

fn main() {
    println!("{} {:?}", Collatz(27).count(), Collatz(27).max());
    let v: Vec<i32> = (1..=20).filter(|x| x % 3 == 1).map(|x| x * x).collect();
    println!("{:?} {} {}", v, v.iter().sum::<i32>(), v.iter().map(|&x| x as f64).product::<f64>());
    println!("{:?}", v.windows(2).map(|w| w[1] - w[0]).collect::<Vec<_>>());
    println!("{:?}", v.chunks(3).map(|c| c.len()).collect::<Vec<_>>());
    let (even, odd): (Vec<i32>, Vec<i32>) = v.iter().partition(|x| *x % 2 == 0);
    println!("{:?} {:?} {:?}", even, odd, even.iter().zip(&odd).map(|(a, b)| a * b).last());
    println!("{:?}", (0..5).flat_map(|i| (0..i).map(move |j| i * 10 + j)).collect::<Vec<_>>());
    println!("{:?}", "hello".chars().rev().enumerate().skip(1).step_by(2).collect::<Vec<_>>());
    println!("{:?}", (1..).scan(1u64, |s, x| { *s *= x; Some(*s) }).take_while(|&x| x < 1_000_000).collect::<Vec<_>>());
    let mut p = [1, 1, 2, 3, 3, 3].iter().peekable();
    while let Some(x) = p.next() {
        let mut n = 1;
        while p.next_if(|y| *y == x).is_some() {
            n += 1;
        }
        print!("{}x{} ", x, n);
    }
    println!("{:?} {:?} {}", v.iter().position(|&x| x == 49), v.iter().rposition(|&x| x == 5), v.iter().any(|&x| x > 300));
    println!("{:?}", v.iter().copied().reduce(|a, b| a ^ b));
    println!("{:?} {:?}", v.iter().min_by_key(|x| (*x - 60).abs()), ["b", "a", "c"].iter().max());
}
