// corpus: apart:20000
// Generics with const parameters, PhantomData, iterators returned, function pointers, recursion by trait objects.
use std::collections::HashMap;
use std::marker::PhantomData;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Matrix<const R: usize, const C: usize>([[i64; C]; R]);
impl<const R: usize, const C: usize> Matrix<R, C> {
    fn times<const K: usize>(&self, o: &Matrix<C, K>) -> Matrix<R, K> {
        let mut m = Matrix([[0; K]; R]);
        for i in 0..R {
            for j in 0..K {
                m.0[i][j] = (0..C).map(|k| self.0[i][k] * o.0[k][j] % 1_000_007).sum::<i64>() % 1_000_007;
            }
        }
        m
    }
}
struct Meters;
struct Length<U>(f64, PhantomData<U>);
impl<U> Length<U> {
    fn new(v: f64) -> Self {
        Length(v, PhantomData)
    }
}
fn evens(limit: u32) -> impl Iterator<Item = u32> + Clone {
    (0..limit).filter(|x| x % 2 == 0)
}
fn memo(f: &dyn Fn(&mut dyn FnMut(u64) -> u64, u64) -> u64, n: u64, table: &mut HashMap<u64, u64>) -> u64 {
    if let Some(&v) = table.get(&n) {
        return v;
    }
    let v = f(&mut |m| memo(f, m, table), n);
    table.insert(n, v);
    v
}
fn twice<F: Fn(i32) -> i32>(f: F) -> impl Fn(i32) -> i32 {
    move |x| f(f(x))
}

fn main() {
    let mut m = Matrix([[1, 1], [1, 0]]);
    let base = m;
    for _ in 0..60 {
        m = m.times(&base);
    }
    println!("{:?} {:?}", m, Matrix([[1, 2, 3]]).times(&Matrix([[4], [5], [6]])));
    println!("{} {:?}", Length::<Meters>::new(2.5).0, evens(20).zip(evens(40).skip(5)).collect::<Vec<_>>());
    let fib = |rec: &mut dyn FnMut(u64) -> u64, n: u64| if n < 2 { n } else { rec(n - 1) + rec(n - 2) };
    println!("{}", memo(&fib, 80, &mut HashMap::new()));
    let fs: [fn(f64) -> f64; 3] = [f64::sqrt, |x| x + 1.0, f64::abs];
    println!("{} {:?}", twice(twice(|x| x * 3))(2), fs.iter().map(|f| f(4.0)).collect::<Vec<_>>());
}
