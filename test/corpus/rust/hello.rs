// The least: a line to each stream and a status.
fn main() {
    println!("hello {}", 42);
    eprintln!("to stderr {:?}", Some(1.5));
    std::process::exit(3)
}
