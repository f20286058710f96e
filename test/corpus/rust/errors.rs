// Error types, conversions by ?, boxed errors, sources, results collected, main that returns one.
use std::error::Error;
use std::fmt;

#[derive(Debug)]
enum ConfigError {
    Missing(&'static str),
    Bad { key: String, source: std::num::ParseIntError },
    Float(std::num::ParseFloatError),
}
impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::Missing(k) => write!(f, "missing {}", k),
            ConfigError::Bad { key, .. } => write!(f, "bad {}", key),
            ConfigError::Float(e) => write!(f, "float: {}", e),
        }
    }
}
impl Error for ConfigError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ConfigError::Bad { source, .. } => Some(source),
            _ => None,
        }
    }
}
impl From<std::num::ParseFloatError> for ConfigError {
    fn from(e: std::num::ParseFloatError) -> Self {
        ConfigError::Float(e)
    }
}
fn lookup<'a>(text: &'a str, key: &'static str) -> Result<&'a str, ConfigError> {
    text.lines().filter_map(|l| l.split_once('=')).find(|(k, _)| k.trim() == key).map(|(_, v)| v.trim()).ok_or(ConfigError::Missing(key))
}
fn load(text: &str) -> Result<(i32, f64), ConfigError> {
    let n = lookup(text, "n")?.parse().map_err(|source| ConfigError::Bad { key: "n".into(), source })?;
    let x: f64 = lookup(text, "x")?.parse()?;
    Ok((n, x))
}
fn boxed(n: i32) -> Result<i32, Box<dyn Error>> {
    match n {
        0 => Err("plain text".into()),
        1 => Ok("17".parse::<i32>()? + 1),
        2 => Ok("x".parse::<i32>()?),
        3 => Err(Box::new(ConfigError::Missing("three"))),
        _ => Ok(std::str::from_utf8(&[0xff])?.len() as i32),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    for text in ["n = 5\nx = 2.5", "x = 1", "n = five\nx = 1", "n=1\nx=one"] {
        match load(text) {
            Ok(v) => println!("{:?}", v),
            Err(e) => println!("{} / {:?} / {:?}", e, e.source().map(|s| s.to_string()), e),
        }
    }
    for n in 0..5 {
        match boxed(n) {
            Ok(v) => println!("{}", v),
            Err(e) => println!("{} {}", e, e.downcast_ref::<ConfigError>().is_some()),
        }
    }
    println!("{:?}", ["1", "2", "x", "4"].iter().map(|s| s.parse::<i32>()).collect::<Result<Vec<_>, _>>().map_err(|e| e.to_string()));
    println!("{:?} {:?}", ["1", "2"].iter().map(|s| s.parse::<i32>()).sum::<Result<i32, _>>(), Some(3).ok_or("none").and_then(|x: i32| x.checked_sub(5).ok_or("low")));
    boxed(2)?;
    Ok(())
}
