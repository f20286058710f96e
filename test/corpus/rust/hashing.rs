// Hash functions by hand: SHA-1, SipHash of the standard library, CRC, Murmur, and a bloom filter.
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

fn sha1(data: &[u8]) -> String {
    let mut h: [u32; 5] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
    let mut m = data.to_vec();
    m.push(0x80);
    while m.len() % 64 != 56 {
        m.push(0);
    }
    m.extend_from_slice(&((data.len() as u64) * 8).to_be_bytes());
    for block in m.chunks_exact(64) {
        let mut w = [0u32; 80];
        for (i, c) in block.chunks_exact(4).enumerate() {
            w[i] = u32::from_be_bytes(c.try_into().unwrap());
        }
        for i in 16..80 {
            w[i] = (w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16]).rotate_left(1);
        }
        let [mut a, mut b, mut c, mut d, mut e] = h;
        for (i, &x) in w.iter().enumerate() {
            let (f, k) = match i / 20 {
                0 => ((b & c) | (!b & d), 0x5a827999),
                1 => (b ^ c ^ d, 0x6ed9eba1),
                2 => ((b & c) | (b & d) | (c & d), 0x8f1bbcdc),
                _ => (b ^ c ^ d, 0xca62c1d6u32),
            };
            let t = a.rotate_left(5).wrapping_add(f).wrapping_add(e).wrapping_add(k).wrapping_add(x);
            e = d;
            d = c;
            c = b.rotate_left(30);
            b = a;
            a = t;
        }
        for (x, y) in h.iter_mut().zip([a, b, c, d, e]) {
            *x = x.wrapping_add(y);
        }
    }
    h.iter().map(|x| format!("{:08x}", x)).collect()
}
fn murmur(mut k: u64) -> u64 {
    k ^= k >> 33;
    k = k.wrapping_mul(0xff51afd7ed558ccd);
    k ^= k >> 33;
    k = k.wrapping_mul(0xc4ceb9fe1a85ec53);
    k ^ k >> 33
}

fn main() {
    for n in [0usize, 3, 55, 56, 64, 1000] {
        let data: Vec<u8> = (0..n).map(|i| (i * 7) as u8).collect();
        let mut h = DefaultHasher::new();
        (data.as_slice(), n, "text").hash(&mut h);
        println!("{} {:016x}", sha1(&data), h.finish());
    }
    let mut filter = [0u64; 64];
    for i in 0..200u64 {
        let h = murmur(i * 3);
        for k in 0..3 {
            let b = (h >> (k * 12)) % 4096;
            filter[(b / 64) as usize] |= 1 << (b % 64);
        }
    }
    let hits = (0..3000u64).filter(|&i| (0..3).all(|k| { let b = (murmur(i) >> (k * 12)) % 4096; filter[(b / 64) as usize] >> (b % 64) & 1 == 1 })).count();
    println!("{} {}", hits, filter.iter().map(|x| x.count_ones()).sum::<u32>());
}
