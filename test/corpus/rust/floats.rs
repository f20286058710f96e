// f32 and f64: bits, rounding, functions, total order, parsing and printing of many values.
fn main() {
    let mut x = 0x9e3779b97f4a7c15u64;
    let mut wrong = 0;
    for _ in 0..3000 {
        x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let d = f64::from_bits(x);
        let f = f32::from_bits((x >> 32) as u32);
        if d.is_finite() && d.to_string().parse::<f64>() != Ok(d) {
            wrong += 1;
        }
        if f.is_finite() && format!("{:e}", f).parse::<f32>() != Ok(f) {
            wrong += 1;
        }
    }
    println!("{}", wrong);
    for v in [0.5, 1.5, 2.5, -0.5, -2.5, 1e15 + 0.5, f64::MIN_POSITIVE / 2.0, 7.0] {
        println!("{} {} {} {} {} {} {}", v.floor(), v.ceil(), v.round(), v.trunc(), v.fract(), v.mul_add(3.0, -1.0), v.rem_euclid(2.0));
        println!("{:.12} {:.12} {:.12} {:.12} {:?}", v.abs().sqrt(), v.sin(), v.exp().min(1e9), v.abs().ln(), v.classify());
    }
    let mut list = vec![3.5, f64::NAN, -0.0, 0.0, f64::INFINITY, -7.25, f64::NEG_INFINITY];
    list.sort_by(|a, b| a.total_cmp(b));
    println!("{:?}", list);
    println!("{:?} {:?} {}", 0.1f32 + 0.2f32, 0.1f32 as f64, 16777217i32 as f32);
    println!("{} {} {}", f64::MAX, f64::EPSILON, 5e-324);
    println!("{:x} {:x}", 1.5f64.to_bits(), (-0.0f32).to_bits());
}
