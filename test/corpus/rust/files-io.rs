// Files, buffered reading, seeking, directories, paths, errors.
use std::fs::{self, File, OpenOptions};
use std::io::{self, prelude::*, BufReader, BufWriter, SeekFrom};
use std::path::Path;

fn main() -> io::Result<()> {
    fs::create_dir_all("dir/sub")?;
    {
        let mut w = BufWriter::new(File::create("dir/data.txt")?);
        for i in 0..1000 {
            writeln!(w, "{} {}", i, i * i % 77)?;
        }
    }
    let sum: u64 = BufReader::new(File::open("dir/data.txt")?).lines().map(|l| l.unwrap().split(' ').map(|n| n.parse::<u64>().unwrap()).sum::<u64>()).sum();
    println!("{} {}", sum, fs::metadata("dir/data.txt")?.len());
    let mut f = OpenOptions::new().read(true).write(true).open("dir/data.txt")?;
    f.seek(SeekFrom::End(-7))?;
    let mut tail = String::new();
    f.read_to_string(&mut tail)?;
    println!("{:?} {}", tail, f.seek(SeekFrom::Start(10))?);
    f.write_all(b"patched")?;
    f.set_len(40)?;
    drop(f);
    println!("{:?}", fs::read_to_string("dir/data.txt")?.lines().last());
    fs::copy("dir/data.txt", "dir/sub/copy")?;
    let mut names: Vec<_> = fs::read_dir("dir")?.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    println!("{:?} {:?}", names, File::open("none").map_err(|e| e.kind()).err());
    let p = Path::new("/a/b.tar/c.gz");
    println!("{:?} {:?} {:?} {:?}", p.file_stem(), p.extension(), p.parent(), p.join("../d").components().count());
    fs::remove_dir_all("dir")?;
    println!("{}", Path::new("dir").exists());
    io::stderr().write_all(b"done\n")
}
