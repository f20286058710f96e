// Sets in bits, Game of Life on words, N queens, population counts, Gray codes.
#[derive(Clone, PartialEq)]
struct Bits(Vec<u64>);
impl Bits {
    fn new(n: usize) -> Self {
        Bits(vec![0; (n + 63) / 64])
    }
    fn set(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64)
    }
    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(w, &x)| (0..64).filter(move |b| x >> b & 1 == 1).map(move |b| w * 64 + b))
    }
    fn and(&self, o: &Bits) -> Bits {
        Bits(self.0.iter().zip(&o.0).map(|(a, b)| a & b).collect())
    }
}
fn queens(n: u32, cols: u32, l: u32, r: u32) -> u32 {
    let all = (1 << n) - 1;
    if cols == all {
        return 1;
    }
    let mut free = all & !(cols | l | r);
    let mut count = 0;
    while free != 0 {
        let bit = free & free.wrapping_neg();
        free ^= bit;
        count += queens(n, cols | bit, (l | bit) << 1, (r | bit) >> 1);
    }
    count
}
fn life(rows: &[u64]) -> Vec<u64> {
    let n = rows.len();
    (0..n)
        .map(|i| {
            let (mut a, mut b, mut c) = (0u64, 0u64, 0u64);
            for (k, row) in [rows[(i + n - 1) % n], rows[i], rows[(i + 1) % n]].into_iter().enumerate() {
                for x in [row.rotate_left(1), row.rotate_right(1), if k == 1 { 0 } else { row }] {
                    let carry = a & x;
                    a ^= x;
                    c |= b & carry;
                    b ^= carry;
                }
            }
            b & !c & (a | rows[i])
        })
        .collect()
}

fn main() {
    let (mut a, mut b) = (Bits::new(500), Bits::new(500));
    (0..500).step_by(6).for_each(|i| a.set(i));
    (0..500).step_by(10).for_each(|i| b.set(i));
    println!("{:?} {}", a.and(&b).iter().take(6).collect::<Vec<_>>(), a.and(&b).iter().count());
    println!("{} {}", queens(6, 0, 0, 0), queens(8, 0, 0, 0));
    let mut board: Vec<u64> = (0..48u64).map(|i| i.wrapping_mul(0x9e3779b97f4a7c15) & (i << 40 | 0xf0f0f0f0f0) * 3).collect();
    for _ in 0..40 {
        board = life(&board);
    }
    println!("{} {:x}", board.iter().map(|r| r.count_ones()).sum::<u32>(), board.iter().fold(0, |h: u64, r| h.rotate_left(5) ^ r));
    println!("{:?}", (0..10u32).map(|n| n ^ n >> 1).collect::<Vec<_>>());
}
