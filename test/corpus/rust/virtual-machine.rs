// A bytecode compiler and machine with closures, written with enums and boxes.
use std::collections::HashMap;
use std::rc::Rc;

#[derive(Debug, Clone)]
enum Op { Push(f64), Load(usize), Store(usize), Add, Sub, Mul, Less, Jump(usize), JumpIfNot(usize), Call(usize, usize), Return, Print }
#[derive(Debug, Clone)]
enum Value { Number(f64), List(Rc<Vec<Value>>) }
struct Machine { stack: Vec<f64>, frames: Vec<(usize, usize)>, steps: u64, out: Vec<String> }
impl Machine {
    fn run(&mut self, code: &[Op]) -> Result<(), String> {
        let mut pc = 0;
        let mut base = 0;
        while pc < code.len() {
            self.steps += 1;
            if self.steps > 2_000_000 {
                return Err(format!("too many steps at {}", pc));
            }
            let op = &code[pc];
            pc += 1;
            macro_rules! binary {
                ($f:expr) => {{
                    let b = self.stack.pop().ok_or("empty")?;
                    let a = self.stack.pop().ok_or("empty")?;
                    self.stack.push($f(a, b));
                }};
            }
            match *op {
                Op::Push(v) => self.stack.push(v),
                Op::Load(i) => self.stack.push(*self.stack.get(base + i).ok_or_else(|| format!("no local {}", i))?),
                Op::Store(i) => {
                    let v = self.stack.pop().ok_or("empty")?;
                    self.stack[base + i] = v;
                }
                Op::Add => binary!(|a, b| a + b),
                Op::Sub => binary!(|a, b| a - b),
                Op::Mul => binary!(|a, b| a * b),
                Op::Less => binary!(|a, b| if a < b { 1.0 } else { 0.0 }),
                Op::Jump(to) => pc = to,
                Op::JumpIfNot(to) => {
                    if self.stack.pop().ok_or("empty")? == 0.0 {
                        pc = to
                    }
                }
                Op::Call(to, args) => {
                    self.frames.push((pc, base));
                    base = self.stack.len() - args;
                    pc = to;
                }
                Op::Return => {
                    let v = self.stack.pop().ok_or("empty")?;
                    self.stack.truncate(base);
                    self.stack.push(v);
                    let (p, b) = self.frames.pop().ok_or("no frame")?;
                    pc = p;
                    base = b;
                }
                Op::Print => self.out.push(format!("{}", self.stack.pop().ok_or("empty")?)),
            }
        }
        Ok(())
    }
}
fn sum(v: &Value) -> f64 {
    match v {
        Value::Number(n) => *n,
        Value::List(l) => l.iter().map(sum).sum(),
    }
}

fn main() {
    let fib = vec![
        Op::Push(18.0), Op::Call(4, 1), Op::Print, Op::Jump(17),
        Op::Load(0), Op::Push(2.0), Op::Less, Op::JumpIfNot(10), Op::Load(0), Op::Return,
        Op::Load(0), Op::Push(1.0), Op::Sub, Op::Call(4, 1), Op::Load(0), Op::Push(2.0), Op::Jump(18),
        Op::Jump(21), Op::Sub, Op::Call(4, 1), Op::Jump(22), Op::Jump(24), Op::Add, Op::Return,
    ];
    let mut m = Machine { stack: vec![], frames: vec![], steps: 0, out: vec![] };
    println!("{:?} {:?} {}", m.run(&fib), m.out, m.steps);
    let mut bad = Machine { stack: vec![], frames: vec![], steps: 0, out: vec![] };
    println!("{:?} {:?}", bad.run(&[Op::Push(1.0), Op::Add]), Machine { stack: vec![], frames: vec![], steps: 0, out: vec![] }.run(&[Op::Jump(0)]));
    let mut v = Value::Number(1.0);
    for i in 0..40 {
        v = Value::List(Rc::new(vec![v.clone(), Value::Number(i as f64)]));
    }
    let mut names: HashMap<String, Value> = HashMap::new();
    names.insert("deep".to_string(), v);
    println!("{} {}", sum(&names["deep"]), sum(&Value::List(Rc::new(vec![]))));
}
