// Box, Rc, RefCell, Weak, Cow, lifetimes, drops in order, mem functions.
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

struct Noisy(&'static str);
impl Drop for Noisy {
    fn drop(&mut self) {
        print!("drop {} ", self.0);
    }
}
#[derive(Debug)]
struct Node {
    value: i32,
    children: RefCell<Vec<Rc<Node>>>,
    parent: RefCell<Weak<Node>>,
}
enum Tree {
    Leaf,
    Branch(Box<Tree>, i64, Box<Tree>),
}
impl Tree {
    fn insert(self, v: i64) -> Tree {
        match self {
            Tree::Leaf => Tree::Branch(Box::new(Tree::Leaf), v, Box::new(Tree::Leaf)),
            Tree::Branch(l, x, r) if v < x => Tree::Branch(Box::new(l.insert(v)), x, r),
            Tree::Branch(l, x, r) => Tree::Branch(l, x, Box::new(r.insert(v))),
        }
    }
    fn fold(&self, acc: i64) -> i64 {
        match self {
            Tree::Leaf => acc,
            Tree::Branch(l, x, r) => r.fold((l.fold(acc) * 31 + x) % 1_000_003),
        }
    }
}
fn clean(s: &str) -> Cow<str> {
    if s.contains(' ') { Cow::Owned(s.replace(' ', "_")) } else { Cow::Borrowed(s) }
}
fn longest<'a>(a: &'a str, b: &'a str) -> &'a str {
    if a.len() >= b.len() { a } else { b }
}

fn main() {
    let _a = Noisy("a");
    {
        let _b = Noisy("b");
        let c = Noisy("c");
        std::mem::drop(c);
        let mut d = Noisy("d");
        let old = std::mem::replace(&mut d, Noisy("e"));
        println!("{}", old.0);
    }
    println!();
    let leaf = Rc::new(Node { value: 3, children: RefCell::new(vec![]), parent: RefCell::new(Weak::new()) });
    {
        let branch = Rc::new(Node { value: 5, children: RefCell::new(vec![leaf.clone()]), parent: RefCell::new(Weak::new()) });
        *leaf.parent.borrow_mut() = Rc::downgrade(&branch);
        println!("{:?} {} {} {}", leaf.parent.borrow().upgrade().map(|p| p.value), Rc::strong_count(&leaf), Rc::weak_count(&branch), branch.children.borrow().len());
        println!("{}", branch.children.try_borrow_mut().is_ok());
    }
    println!("{:?} {}", leaf.parent.borrow().upgrade().is_none(), Rc::strong_count(&leaf));
    let mut t = Tree::Leaf;
    for i in 0..200 {
        t = t.insert(i * 7919 % 503);
    }
    println!("{} {} {} {}", t.fold(1), clean("a b"), clean("ab"), longest("abc", "de"));
}
