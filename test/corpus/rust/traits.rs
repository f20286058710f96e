// Traits: objects, generics, default methods, associated types and constants, operators, iterators of closures.
use std::fmt;
use std::ops::{Add, Index, Mul, Neg};

trait Shape {
    const SIDES: u32;
    fn area(&self) -> f64;
    fn describe(&self) -> String {
        format!("{} sides, area {:.3}", Self::SIDES, self.area())
    }
}
struct Square(f64);
struct Triangle(f64, f64);
impl Shape for Square {
    const SIDES: u32 = 4;
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}
impl Shape for Triangle {
    const SIDES: u32 = 3;
    fn area(&self) -> f64 {
        self.0 * self.1 / 2.0
    }
    fn describe(&self) -> String {
        format!("triangle {}", self.area())
    }
}
trait Animal {
    fn name(&self) -> String;
    fn legs(&self) -> u32 {
        4
    }
}
struct Dog;
struct Bird(&'static str);
impl Animal for Dog {
    fn name(&self) -> String {
        "dog".into()
    }
}
impl Animal for Bird {
    fn name(&self) -> String {
        self.0.to_uppercase()
    }
    fn legs(&self) -> u32 {
        2
    }
}
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
struct V2 {
    x: f64,
    y: f64,
}
impl Add for V2 {
    type Output = V2;
    fn add(self, o: V2) -> V2 {
        V2 { x: self.x + o.x, y: self.y + o.y }
    }
}
impl Mul<f64> for V2 {
    type Output = V2;
    fn mul(self, k: f64) -> V2 {
        V2 { x: self.x * k, y: self.y * k }
    }
}
impl Neg for V2 {
    type Output = V2;
    fn neg(self) -> V2 {
        self * -1.0
    }
}
impl Index<usize> for V2 {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        if i == 0 { &self.x } else { &self.y }
    }
}
impl fmt::Display for V2 {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "<{:>6.2}, {:<6.2}>", self.x, self.y)
    }
}
fn total<T: Copy + Add<Output = T> + Default>(v: &[T]) -> T {
    v.iter().fold(T::default(), |a, &b| a + b)
}

fn main() {
    println!("{} | {}", Square(1.5).describe(), Triangle(3.0, 4.0).describe());
    let zoo: Vec<Box<dyn Animal>> = vec![Box::new(Dog), Box::new(Bird("wren")), Box::new(Bird("owl"))];
    println!("{} {:?}", zoo.iter().map(|a| a.legs()).sum::<u32>(), zoo.iter().map(|a| a.name()).collect::<Vec<_>>());
    let a = V2 { x: 1.0, y: 2.5 };
    println!("{} {:?} {} {:?}", -(a + a * 3.0), a[1], total(&[1, 2, 3]), a.partial_cmp(&V2::default()));
    println!("{}", total(&[a, a, a]));
    let mut fs: Vec<Box<dyn FnMut(i32) -> i32>> = Vec::new();
    for k in 1..4 {
        let mut n = 0;
        fs.push(Box::new(move |x| {
            n += k;
            x * n
        }));
    }
    for round in 0..3 {
        println!("{:?}", fs.iter_mut().map(|f| f(round + 1)).collect::<Vec<_>>());
    }
}
