// Words, Caesar and Vigenère ciphers, run lengths, Roman numerals, edit distance, base 64, JSON-like printing.
use std::collections::BTreeMap;
use std::fmt;

struct Roman(u32);
impl fmt::Display for Roman {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut n = self.0;
        for (v, s) in [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")] {
            while n >= v {
                f.write_str(s)?;
                n -= v;
            }
        }
        Ok(())
    }
}
fn rle(s: &str) -> String {
    let mut out = String::new();
    let mut chars = s.chars().peekable();
    while let Some(c) = chars.next() {
        let mut n = 1;
        while chars.next_if_eq(&c).is_some() {
            n += 1;
        }
        if n > 1 {
            out += &n.to_string();
        }
        out.push(c);
    }
    out
}
fn base64(data: &[u8]) -> String {
    const T: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    data.chunks(3)
        .flat_map(|c| {
            let n = c.iter().fold(0u32, |a, &b| a << 8 | b as u32) << (8 * (3 - c.len()));
            (0..4).map(move |i| if i <= c.len() { T[(n >> (18 - 6 * i) & 63) as usize] as char } else { '=' })
        })
        .collect()
}
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut last = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = if x == *y { last } else { 1 + last.min(row[j]).min(row[j + 1]) };
            last = row[j + 1];
            row[j + 1] = cost;
        }
    }
    row[b.len()]
}

fn main() {
    let text = "It was a bright cold day in April, and the clocks were striking thirteen.";
    let mut counts = BTreeMap::new();
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        *counts.entry(c.to_ascii_lowercase()).or_insert(0usize) += 1;
    }
    println!("{:?}", counts);
    let shifted: String = text.chars().map(|c| match c { 'a'..='z' => ((c as u8 - b'a' + 13) % 26 + b'a') as char, 'A'..='Z' => ((c as u8 - b'A' + 13) % 26 + b'A') as char, _ => c }).collect();
    println!("{}", shifted);
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.sort_by_key(|w| (std::cmp::Reverse(w.len()), w.to_lowercase()));
    println!("{}", words.join(" "));
    for n in [1, 4, 9, 14, 40, 90, 400, 1994, 2026, 3999] {
        print!("{:>12}", format!("{}", Roman(n)));
    }
    println!();
    println!("{} {} {}", rle("aaabccddddde"), base64(text.as_bytes()), base64(b"ab"));
    println!("{} {} {}", distance("kitten", "sitting"), distance("", "abc"), distance("naïve", "naive"));
}
