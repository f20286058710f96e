// Enums and patterns: guards, bindings, slices, nested, let else by hand, if let chains, Option and Result.
#[derive(Debug, Clone, PartialEq)]
enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}
struct Parser<'a>(&'a [u8], usize);
impl<'a> Parser<'a> {
    fn space(&mut self) {
        while matches!(self.0.get(self.1), Some(b' ' | b'\n')) {
            self.1 += 1;
        }
    }
    fn value(&mut self) -> Result<Json, String> {
        self.space();
        let v = match self.0.get(self.1).copied().ok_or("end")? {
            b'n' => self.word("null", Json::Null)?,
            b't' => self.word("true", Json::Bool(true))?,
            b'f' => self.word("false", Json::Bool(false))?,
            b'"' => Json::Text(self.text()?),
            b'[' => {
                let mut list = vec![];
                self.1 += 1;
                loop {
                    self.space();
                    match self.0.get(self.1) {
                        Some(b']') => break self.1 += 1,
                        Some(b',') => self.1 += 1,
                        Some(_) => list.push(self.value()?),
                        None => return Err("unclosed".into()),
                    }
                }
                Json::List(list)
            }
            b'{' => {
                let mut map = vec![];
                self.1 += 1;
                loop {
                    self.space();
                    match self.0.get(self.1) {
                        Some(b'}') => break self.1 += 1,
                        Some(b',') => self.1 += 1,
                        Some(b'"') => {
                            let k = self.text()?;
                            self.1 += 1;
                            map.push((k, self.value()?));
                        }
                        x => return Err(format!("{:?} at {}", x, self.1)),
                    }
                }
                Json::Map(map)
            }
            c @ (b'-' | b'0'..=b'9') => {
                let from = self.1;
                let _ = c;
                while self.0.get(self.1).map_or(false, |c| c.is_ascii_digit() || b"+-.eE".contains(c)) {
                    self.1 += 1;
                }
                Json::Number(std::str::from_utf8(&self.0[from..self.1]).unwrap().parse().map_err(|e| format!("{}", e))?)
            }
            c => return Err(format!("unexpected {}", c as char)),
        };
        Ok(v)
    }
    fn word(&mut self, w: &str, v: Json) -> Result<Json, String> {
        if self.0[self.1..].starts_with(w.as_bytes()) {
            self.1 += w.len();
            Ok(v)
        } else {
            Err(format!("not {}", w))
        }
    }
    fn text(&mut self) -> Result<String, String> {
        let from = self.1 + 1;
        let end = self.0[from..].iter().position(|&c| c == b'"').ok_or("no quote")?;
        self.1 = from + end + 1;
        Ok(String::from_utf8_lossy(&self.0[from..from + end]).into_owned())
    }
}
fn depth(j: &Json) -> usize {
    match j {
        Json::List(v) if v.is_empty() => 1,
        Json::List(v) => 1 + v.iter().map(depth).max().unwrap(),
        Json::Map(v) => 1 + v.iter().map(|(_, x)| depth(x)).max().unwrap_or(0),
        _ => 0,
    }
}
fn shape(v: &[i32]) -> String {
    match v {
        [] => "empty".into(),
        [x] => format!("one {}", x),
        [a, .., z] if a == z => format!("same ends {}", a),
        [a, rest @ ..] => format!("{} then {}", a, rest.len()),
    }
}

fn main() {
    for text in ["{\"a\": [1, 2.5e3, -0.1], \"b\": {\"c\": null, \"d\": [[], [true]]}}", "[1, 2", "nul", "\"text\"", "{1}", "-"] {
        let r = Parser(text.as_bytes(), 0).value();
        println!("{:?} {:?}", r, r.as_ref().map(depth).ok());
    }
    println!("{} {} {} {}", shape(&[]), shape(&[5]), shape(&[1, 2, 1]), shape(&[1, 2, 3]));
    for n in [-5, 0, 7, 42, 99, 1000] {
        let s = match n {
            i32::MIN..=-1 => "negative",
            0 => "zero",
            x if x % 2 == 0 => "even",
            1..=9 => "digit",
            _ => "odd",
        };
        print!("{} ", s);
    }
    println!();
}
