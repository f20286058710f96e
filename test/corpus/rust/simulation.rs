// A heap-allocated simulation: particles, a grid, a cellular automaton, an arena of nodes.
#[derive(Clone, Debug)]
struct Particle {
    p: [f64; 3],
    v: [f64; 3],
    m: f64,
}

fn energy(ps: &[Particle]) -> f64 {
    ps.iter().map(|p| 0.5 * p.m * p.v.iter().map(|x| x * x).sum::<f64>()).sum()
}

fn main() {
    let mut ps: Vec<Particle> = (0..12).map(|i| Particle { p: [i as f64, (i * i % 7) as f64, 0.5 * i as f64], v: [0.0; 3], m: 1.0 + (i % 3) as f64 }).collect();
    for step in 0..100 {
        let forces: Vec<[f64; 3]> = ps
            .iter()
            .map(|a| {
                ps.iter().fold([0.0; 3], |mut f, b| {
                    let d: Vec<f64> = (0..3).map(|k| b.p[k] - a.p[k]).collect();
                    let r2: f64 = d.iter().map(|x| x * x).sum::<f64>() + 0.1;
                    for k in 0..3 {
                        f[k] += b.m * d[k] / (r2 * r2.sqrt());
                    }
                    f
                })
            })
            .collect();
        for (p, f) in ps.iter_mut().zip(&forces) {
            for k in 0..3 {
                p.v[k] += f[k] * 0.01;
                p.p[k] += p.v[k] * 0.01;
            }
        }
        if step % 25 == 0 {
            println!("{:.12} {:.12}", energy(&ps), ps[3].p[1]);
        }
    }
    let mut row = vec![false; 64];
    row[32] = true;
    for _ in 0..12 {
        println!("{}", row.iter().map(|&c| if c { '#' } else { '.' }).collect::<String>());
        row = (0..64).map(|i| row[(i + 63) % 64] ^ (row[i] | row[(i + 1) % 64])).collect();
    }
}
