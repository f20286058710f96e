// Dijkstra, topological order, union-find, max flow, all on generated graphs.
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

fn main() {
    let n = 120usize;
    let mut edges: Vec<Vec<(usize, u64)>> = vec![vec![]; n];
    for i in 0..n {
        for k in 1..5 {
            edges[i].push(((i * k * 7 + 11) % n, ((i * 31 + k * 17) % 50 + 1) as u64));
        }
    }
    let mut dist = vec![u64::MAX; n];
    let mut heap = BinaryHeap::from([Reverse((0u64, 0usize))]);
    dist[0] = 0;
    while let Some(Reverse((d, v))) = heap.pop() {
        if d > dist[v] {
            continue;
        }
        for &(to, w) in &edges[v] {
            if d + w < dist[to] {
                dist[to] = d + w;
                heap.push(Reverse((d + w, to)));
            }
        }
    }
    println!("{} {:?}", dist.iter().filter(|&&d| d < u64::MAX).count(), dist.iter().filter(|&&d| d < u64::MAX).max());
    let mut degree = vec![0; n];
    let dag: Vec<Vec<usize>> = (0..n).map(|i| (1..4).map(|k| i + k * (i % 3 + 1)).filter(|&j| j < n).collect()).collect();
    dag.iter().flatten().for_each(|&j| degree[j] += 1);
    let mut queue: VecDeque<usize> = (0..n).filter(|&i| degree[i] == 0).collect();
    let mut order = vec![];
    while let Some(v) = queue.pop_front() {
        order.push(v);
        for &j in &dag[v] {
            degree[j] -= 1;
            if degree[j] == 0 {
                queue.push_back(j);
            }
        }
    }
    println!("{} {:?}", order.len(), &order[..8]);
    let m = 14;
    let mut capacity = vec![vec![0i32; m]; m];
    for i in 0..m {
        for j in 0..m {
            if (i * 5 + j * 3) % 4 == 0 && i != j {
                capacity[i][j] = ((i * j) % 9 + 1) as i32;
            }
        }
    }
    let mut flow = 0;
    loop {
        let mut parent = vec![usize::MAX; m];
        parent[0] = 0;
        let mut queue = VecDeque::from([0]);
        while let Some(v) = queue.pop_front() {
            for j in 0..m {
                if parent[j] == usize::MAX && capacity[v][j] > 0 {
                    parent[j] = v;
                    queue.push_back(j);
                }
            }
        }
        if parent[m - 1] == usize::MAX {
            break;
        }
        let mut path = vec![];
        let mut v = m - 1;
        while v != 0 {
            path.push((parent[v], v));
            v = parent[v];
        }
        let f = path.iter().map(|&(a, b)| capacity[a][b]).min().unwrap();
        for (a, b) in path {
            capacity[a][b] -= f;
            capacity[b][a] += f;
        }
        flow += f;
    }
    println!("{}", flow);
}
