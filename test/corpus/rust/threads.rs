// corpus: apart:20000
// Threads, scoped threads, channels, mutexes, atomics, barriers, thread locals, once.
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{mpsc, Arc, Barrier, Condvar, Mutex, Once, RwLock};
use std::thread;

thread_local!(static LOCAL: Cell<u32> = Cell::new(5));
static ONCE: Once = Once::new();
static STARTED: AtomicUsize = AtomicUsize::new(0);

fn main() {
    let sums: Vec<u64> = (0..4u64).map(|t| thread::spawn(move || (0..1000).fold(t, |a, i| a.wrapping_mul(31) + i))).map(|h| h.join().unwrap()).collect();
    println!("{:?}", sums);
    let (tx, rx) = mpsc::channel();
    for id in 0..3 {
        let tx = tx.clone();
        thread::spawn(move || {
            for i in 0..50 {
                tx.send(id * 1000 + i).unwrap();
            }
        });
    }
    drop(tx);
    let mut got: Vec<i32> = rx.iter().collect();
    got.sort();
    println!("{} {} {}", got.len(), got[0], got[149]);
    let data = Arc::new((Mutex::new(0u64), Condvar::new(), RwLock::new(vec![0; 4])));
    let barrier = Arc::new(Barrier::new(3));
    let hs: Vec<_> = (0..3)
        .map(|id| {
            let (data, barrier) = (data.clone(), barrier.clone());
            thread::spawn(move || {
                ONCE.call_once(|| {
                    STARTED.fetch_add(100, Ordering::SeqCst);
                });
                STARTED.fetch_add(1, Ordering::Relaxed);
                barrier.wait();
                for i in 0..100 {
                    *data.0.lock().unwrap() += i;
                    data.2.write().unwrap()[id] += 1;
                }
                LOCAL.with(|l| l.set(l.get() + id as u32));
                data.1.notify_all();
                LOCAL.with(|l| l.get())
            })
        })
        .collect();
    let mut total = data.0.lock().unwrap();
    while *total < 3 * 4950 {
        total = data.1.wait(total).unwrap();
    }
    println!("{}", *total);
    drop(total);
    println!("{:?} {:?} {}", hs.into_iter().map(|h| h.join().unwrap()).collect::<Vec<_>>(), data.2.read().unwrap(), STARTED.load(Ordering::SeqCst));
    println!("{}", LOCAL.with(|l| l.get()));
    println!("{}", thread::spawn(|| if STARTED.load(Ordering::SeqCst) > 0 { panic::resume() }).join().is_err());
}
mod panic {
    pub fn resume() {
        std::panic::resume_unwind(Box::new(1))
    }
}
