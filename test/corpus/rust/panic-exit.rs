// An uncaught panic: status 101 and a message on stderr.
fn main() {
    println!("before");
    let v: Vec<u32> = Vec::new();
    let i = std::env::args().count() + 2;
    println!("{}", v[i]);
}
