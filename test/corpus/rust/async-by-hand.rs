// Futures without a runtime: an executor, wakers, joins, channels.
use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

struct Nothing;
impl Wake for Nothing {
    fn wake(self: Arc<Self>) {}
}
struct Yield(bool);
impl Future for Yield {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, c: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) {
            Poll::Ready(())
        } else {
            c.waker().wake_by_ref();
            Poll::Pending
        }
    }
}
struct Receive(Rc<RefCell<VecDeque<u32>>>);
impl Future for Receive {
    type Output = u32;
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u32> {
        self.0.borrow_mut().pop_front().map_or(Poll::Pending, Poll::Ready)
    }
}
async fn produce(name: &'static str, n: u32, queue: Rc<RefCell<VecDeque<u32>>>, log: Rc<RefCell<Vec<String>>>) {
    for i in 0..n {
        Yield(false).await;
        log.borrow_mut().push(format!("{}{}", name, i));
        queue.borrow_mut().push_back(i * n);
    }
}
async fn consume(n: u32, queue: Rc<RefCell<VecDeque<u32>>>, sum: Rc<RefCell<u32>>) -> u32 {
    let mut own = 0;
    for _ in 0..n {
        let v = Receive(queue.clone()).await;
        own += v;
        *sum.borrow_mut() += v;
        if v > 5 {
            Yield(false).await;
        }
    }
    own
}

fn main() {
    let waker = Waker::from(Arc::new(Nothing));
    let mut context = Context::from_waker(&waker);
    let queue = Rc::new(RefCell::new(VecDeque::new()));
    let log = Rc::new(RefCell::new(Vec::new()));
    let sum = Rc::new(RefCell::new(0));
    let (q, s) = (queue.clone(), sum.clone());
    let mut tasks: Vec<Pin<Box<dyn Future<Output = ()>>>> = vec![
        Box::pin(produce("a", 4, queue.clone(), log.clone())),
        Box::pin(produce("b", 6, queue.clone(), log.clone())),
        Box::pin(async move {
            let first = consume(7, q.clone(), s.clone()).await;
            println!("consumed {}", first + consume(3, q, s).await);
        }),
    ];
    let mut rounds = 0;
    while !tasks.is_empty() {
        rounds += 1;
        tasks.retain_mut(|t| t.as_mut().poll(&mut context).is_pending());
    }
    println!("{} {} {:?}", rounds, sum.borrow(), log.borrow());
}
