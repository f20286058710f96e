// Sizes, alignments, transmutes, unions, raw pointers, repr, slices from raw parts, volatile.
use std::mem::{align_of, size_of, MaybeUninit};

#[repr(C)]
struct Packed {
    a: u8,
    b: u32,
    c: u16,
}
#[repr(C, packed)]
struct Tight {
    a: u8,
    b: u32,
    c: u16,
}
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Wide([u8; 3]);
#[repr(C)]
union Bits {
    f: f32,
    u: u32,
    b: [u8; 4],
}
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq)]
enum Small {
    A = 3,
    B,
    C = 200,
}
trait T {
    fn f(&self) -> i32;
}
impl T for i32 {
    fn f(&self) -> i32 {
        *self * 2
    }
}

fn main() {
    println!("{} {} {} {} {}", size_of::<Packed>(), size_of::<Tight>(), size_of::<Wide>(), align_of::<Wide>(), size_of::<Option<Box<i32>>>());
    println!("{} {} {} {}", size_of::<Option<u64>>(), size_of::<Option<char>>(), size_of::<&dyn T>(), size_of::<Option<Option<bool>>>());
    let t = Tight { a: 1, b: 0x01020304, c: 5 };
    let bytes = unsafe { std::slice::from_raw_parts(&t as *const _ as *const u8, size_of::<Tight>()) };
    println!("{:?} {}", bytes, { t.b });
    let mut u = Bits { f: 1.5 };
    unsafe {
        u.b[3] ^= 0x80;
        println!("{} {:x} {:?}", u.f, u.u, std::mem::transmute::<u8, Small>(200));
    }
    println!("{:?} {} {:?}", Small::B as u8, Small::A == Small::B, Small::C);
    let mut array: [MaybeUninit<String>; 4] = unsafe { MaybeUninit::uninit().assume_init() };
    for (i, x) in array.iter_mut().enumerate() {
        x.write("x".repeat(i));
    }
    let array: [String; 4] = unsafe { std::mem::transmute(array) };
    println!("{:?}", array);
    let mut v = vec![1u32, 2, 3, 4, 5, 6];
    let p = v.as_mut_ptr();
    unsafe {
        std::ptr::swap(p, p.add(5));
        std::ptr::copy(p, p.add(2), 3);
        p.add(1).write_volatile(p.read_volatile() + 90);
        println!("{:?} {}", v, v.as_ptr().add(4).offset_from(v.as_ptr()));
    }
    let wide = [Wide([1, 2, 3]); 3];
    println!("{} {}", (wide.as_ptr() as usize) % 64, wide[2].0[1]);
    let b: Box<dyn T> = Box::new(21);
    println!("{} {:?}", b.f(), unsafe { "né".as_bytes().align_to::<u8>().1 });
}
