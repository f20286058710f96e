//! HashMap with a fixed hasher (SipHash and groups of sixteen control bytes), then a sort of its entries.
use std::collections::hash_map::DefaultHasher;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

fn main() {
    let count: u64 = std::env::args().nth(1).map_or(10_000, |text| text.parse().unwrap());
    let mut map: HashMap<u64, u64, BuildHasherDefault<DefaultHasher>> = HashMap::default();
    let mut random = 1u64;
    for i in 0..count {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        *map.entry(random >> 48).or_insert(0) += i;
    }
    let mut entries: Vec<_> = map.into_iter().collect();
    entries.sort();
    let sum = entries.iter().fold(0u64, |sum, (key, value)| sum.wrapping_mul(31) ^ key ^ value);
    println!("{} {}", entries.len(), sum);
}
