// SSE2 intrinsics through core::arch, against scalar code.
use std::arch::x86_64::*;

fn sum_squares(v: &[i16]) -> i32 {
    unsafe {
        let mut acc = _mm_setzero_si128();
        for c in v.chunks_exact(8) {
            let x = _mm_loadu_si128(c.as_ptr() as *const __m128i);
            acc = _mm_add_epi32(acc, _mm_madd_epi16(x, x));
        }
        let mut out = [0i32; 4];
        _mm_storeu_si128(out.as_mut_ptr() as *mut __m128i, acc);
        out.iter().sum()
    }
}
fn find(text: &[u8], byte: u8) -> Option<usize> {
    unsafe {
        let needle = _mm_set1_epi8(byte as i8);
        for (i, c) in text.chunks_exact(16).enumerate() {
            let mask = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(c.as_ptr() as *const __m128i), needle));
            if mask != 0 {
                return Some(i * 16 + mask.trailing_zeros() as usize);
            }
        }
    }
    let done = text.len() / 16 * 16;
    text[done..].iter().position(|&b| b == byte).map(|p| p + done)
}
fn dot(a: &[f64], b: &[f64]) -> f64 {
    unsafe {
        let mut acc = _mm_setzero_pd();
        for (x, y) in a.chunks_exact(2).zip(b.chunks_exact(2)) {
            acc = _mm_add_pd(acc, _mm_mul_pd(_mm_loadu_pd(x.as_ptr()), _mm_loadu_pd(y.as_ptr())));
        }
        _mm_cvtsd_f64(_mm_add_sd(acc, _mm_unpackhi_pd(acc, acc)))
    }
}

fn main() {
    let v: Vec<i16> = (0..800).map(|i| (i * 37 % 401) as i16 - 200).collect();
    println!("{} {}", sum_squares(&v), sum_squares(&v) == v.iter().map(|&x| x as i32 * x as i32).sum::<i32>());
    let text: Vec<u8> = (0..333).map(|i| b'a' + (i * 7 % 23) as u8).chain([b'!']).collect();
    for b in [b'a', b'w', b'z', b'!'] {
        println!("{:?} {}", find(&text, b), find(&text, b) == text.iter().position(|&x| x == b));
    }
    let a: Vec<f64> = (0..100).map(|i| i as f64 * 0.25).collect();
    println!("{} {}", dot(&a, &a), dot(&a, &a) == a.iter().map(|x| x * x).sum::<f64>());
    println!("{} {}", is_x86_feature_detected!("sse2"), a.iter().rev().fold(0.0f32, |s, &x| s * 0.5 + x as f32));
}
