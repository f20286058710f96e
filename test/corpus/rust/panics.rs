// Panics caught, through destructors, with payloads, from indexes, overflow, unwrap, and resumed.
use std::panic;

struct Guard(u32);
impl Drop for Guard {
    fn drop(&mut self) {
        print!("~{} ", self.0);
    }
}
fn act(n: u32) -> u32 {
    let _g = Guard(n);
    let v = vec![1, 2, 3];
    match n {
        0 => v[n as usize + 7],
        1 => None::<u32>.unwrap(),
        2 => Err::<u32, String>("an error".into()).expect("expected"),
        3 => panic!("formatted {}", n),
        4 => 10 / (n - 4),
        5 => panic::panic_any(n * 11),
        6 => "x".parse::<u32>().unwrap(),
        7 => unreachable!("no {}", n),
        8 => {
            assert_eq!(v.len(), 4, "lengths");
            0
        }
        _ => n * 100,
    }
}

fn main() {
    panic::set_hook(Box::new(|info| {
        let line = info.location().map(|l| l.line());
        print!("[{:?}] ", line);
    }));
    for n in 0..10 {
        match panic::catch_unwind(|| act(n)) {
            Ok(v) => println!("ok {}", v),
            Err(e) => {
                if let Some(s) = e.downcast_ref::<&str>() {
                    println!("str {}", s)
                } else if let Some(s) = e.downcast_ref::<String>() {
                    println!("string {}", s)
                } else if let Some(i) = e.downcast_ref::<u32>() {
                    println!("any {}", i)
                }
            }
        }
    }
    let r = panic::catch_unwind(|| {
        let inner = panic::catch_unwind(|| act(3));
        let _g = Guard(99);
        panic::resume_unwind(inner.unwrap_err())
    });
    println!("{}", r.is_err());
}
