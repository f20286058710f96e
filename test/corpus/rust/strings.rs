// String and str: UTF-8, characters, slices, splitting, formatting, parsing.
use std::fmt::Write;

fn main() {
    let s = "Grüße, 世界! 😀 naïve";
    println!("{} {} {:?}", s.len(), s.chars().count(), s.char_indices().filter(|(_, c)| !c.is_ascii()).collect::<Vec<_>>());
    println!("{} {} {}", s.to_uppercase(), s.to_lowercase(), s.replace("世界", "world"));
    println!("{:?} {:?} {:?}", s.find('世'), s.rfind("ï"), s.split_once(", "));
    println!("{:?}", "a,b;;c d".split(|c: char| !c.is_alphanumeric()).collect::<Vec<_>>());
    println!("{:?} {:?}", "  trim\t".trim(), "xxabcxx".trim_matches('x'));
    println!("{:?}", "line one\nline two\r\nthree".lines().map(|l| l.len()).collect::<Vec<_>>());
    let mut out = String::new();
    for i in 0..5 {
        write!(out, "{:04}|{:<4}|{:^5}|{:>+5}|{:#x}|{:#010b};", i, i, i, i, i * 17, i).unwrap();
    }
    println!("{}", out);
    println!("{:?} {:8.3} {:e} {:?} {:?} {}", 1.0 / 3.0, 3.14159, 1234.5, f64::NAN, 1e300, 0.1 + 0.2);
    println!("{0:>1$} {name:*^12} {2:.1$}", "right", 9, 1.23456, name = "mid");
    println!("{:?} {:?} {:?}", "42".parse::<i32>(), "x".parse::<f64>().is_err(), "1e-5".parse::<f64>());
    println!("{:#?}", (1, "two", [3.0]));
    let bytes = [0x66, 0x6f, 0xff, 0x6f];
    println!("{} {:?}", String::from_utf8_lossy(&bytes), std::str::from_utf8(&bytes).is_err());
    let mut t: Vec<char> = s.chars().collect();
    t.reverse();
    println!("{}", t.iter().collect::<String>());
    println!("{}", s.bytes().map(|b| format!("{:02x}", b)).collect::<Vec<_>>().join(""));
}
