// Children by std::process with pipes and statuses.
use std::io::Write;
use std::process::{Command, Stdio};

fn main() {
    let out = Command::new("/bin/echo").arg("from a child").output().unwrap();
    println!("{:?} {:?}", String::from_utf8_lossy(&out.stdout), out.status.code());
    let mut sort = Command::new("sort").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    sort.stdin.take().unwrap().write_all(b"b\nc\na\n").unwrap();
    let out = sort.wait_with_output().unwrap();
    println!("{:?}", String::from_utf8_lossy(&out.stdout));
    let status = Command::new("sh").args(["-c", "exit $((3 + $X))"]).env("X", "4").status().unwrap();
    println!("{:?} {}", status.code(), Command::new("/no/such/program").spawn().is_err());
    std::process::exit(9);
}
