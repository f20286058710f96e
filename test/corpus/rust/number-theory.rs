// Sieves, modular arithmetic, primality, continued fractions, matrices, number-theoretic transforms.
const P: u64 = 998_244_353;

fn power(mut a: u64, mut e: u64, m: u64) -> u64 {
    let mut r = 1;
    a %= m;
    while e > 0 {
        if e & 1 == 1 {
            r = (r as u128 * a as u128 % m as u128) as u64;
        }
        a = (a as u128 * a as u128 % m as u128) as u64;
        e >>= 1;
    }
    r
}
fn prime(n: u64) -> bool {
    if n < 2 || n % 2 == 0 {
        return n == 2;
    }
    let s = (n - 1).trailing_zeros();
    [2u64, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].iter().all(|&a| {
        if a % n == 0 {
            return true;
        }
        let mut x = power(a, (n - 1) >> s, n);
        if x == 1 || x == n - 1 {
            return true;
        }
        (1..s).any(|_| {
            x = (x as u128 * x as u128 % n as u128) as u64;
            x == n - 1
        })
    })
}
fn ntt(v: &mut [u64], invert: bool) {
    let n = v.len();
    let mut j = 0;
    for i in 1..n {
        let mut bit = n >> 1;
        while j & bit != 0 {
            j ^= bit;
            bit >>= 1;
        }
        j ^= bit;
        if i < j {
            v.swap(i, j);
        }
    }
    let mut len = 2;
    while len <= n {
        let mut root = power(3, (P - 1) / len as u64, P);
        if invert {
            root = power(root, P - 2, P);
        }
        for chunk in v.chunks_exact_mut(len) {
            let (a, b) = chunk.split_at_mut(len / 2);
            let mut w = 1;
            for (x, y) in a.iter_mut().zip(b) {
                let t = *y * w % P;
                *y = (*x + P - t) % P;
                *x = (*x + t) % P;
                w = w * root % P;
            }
        }
        len *= 2;
    }
    if invert {
        let k = power(n as u64, P - 2, P);
        v.iter_mut().for_each(|x| *x = *x * k % P);
    }
}

fn main() {
    let mut sieve = vec![true; 20000];
    for i in 2..142 {
        if sieve[i] {
            (i * i..20000).step_by(i).for_each(|j| sieve[j] = false);
        }
    }
    println!("{} {}", sieve.iter().skip(2).filter(|&&p| p).count(), (2..20000).all(|i| sieve[i] == prime(i as u64)));
    println!("{} {} {}", prime(18446744073709551557), prime(3215031751), power(7, 1 << 40, 1_000_000_007));
    let mut a: Vec<u64> = (0..128).map(|i| if i < 60 { i * i % 10 } else { 0 }).collect();
    let mut b: Vec<u64> = (0..128).map(|i| if i < 60 { i % 7 } else { 0 }).collect();
    let direct: u64 = (0..=50).map(|i| a[i] * b[50 - i]).sum();
    ntt(&mut a, false);
    ntt(&mut b, false);
    a.iter_mut().zip(&b).for_each(|(x, y)| *x = *x * y % P);
    ntt(&mut a, true);
    println!("{} {} {}", a[50] == direct, a[50], a.iter().sum::<u64>());
    let mut x = std::f64::consts::PI;
    let fraction: Vec<u64> = (0..8).map(|_| { let n = x.floor(); x = 1.0 / (x - n); n as u64 }).collect();
    println!("{:?}", fraction);
}
