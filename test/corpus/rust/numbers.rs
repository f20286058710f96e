// Integers of all widths: wrapping, checked, saturating, overflowing operations, bits, conversions, 128 bits.
macro_rules! each {
    ($($t:ty),*) => {$({
        let a = <$t>::MAX / 3 * 2 + 5;
        let b = <$t>::MIN.wrapping_add(7);
        println!("{} {:?} {:?} {} {:?} {}", stringify!($t), a.checked_add(a), a.overflowing_mul(3), a.saturating_add(a), a.wrapping_sub(b).checked_div(7), b.wrapping_mul(a));
        println!("{} {} {} {} {} {}", a.count_ones(), a.leading_zeros(), b.trailing_zeros(), a.rotate_left(3), a.swap_bytes(), a.wrapping_pow(5));
        println!("{:?} {:?} {:?}", a.checked_shl(200), <$t>::from_str_radix("7f", 16), a.rem_euclid(7));
    })*};
}

fn main() {
    each!(u8, i8, u16, i16, u32, i32, u64, i64, u128, i128, usize);
    for f in [0.5f64, -1.9, 300.7, -5e9, 1e30, f64::NAN, f64::INFINITY] {
        println!("{} {} {} {} {} {}", f as u8, f as i8, f as i32, f as u64, f as i128, f as f32);
    }
    println!("{} {} {}", u64::MAX as f64, u64::MAX as f32, u128::MAX as f64);
    println!("{:?} {:?} {}", u8::try_from(300i32).is_err(), i64::try_from(5u128), i32::from(true) + i32::from(7u8));
}
