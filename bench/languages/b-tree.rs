//! BTreeMap: insertions at random keys, and the next key from a random one on.
use std::collections::BTreeMap;

fn main() {
    let count: u64 = std::env::args().nth(1).map_or(10_000, |text| text.parse().unwrap());
    let mut map = BTreeMap::new();
    let mut random = 1u64;
    let mut sum = 0u64;
    for i in 0..count {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        map.insert(random >> 44, i);
        if let Some((key, _)) = map.range(random >> 45..).next() {
            sum ^= key;
        }
    }
    println!("{} {}", map.len(), sum);
}
