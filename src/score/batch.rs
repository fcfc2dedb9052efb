//! Many photos on all cores, results in the order of the photos.

use std::{
    collections::BTreeMap,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
};

/// Results that may wait for an earlier one before the workers pause, a worker: bounds the memory
/// when one photo takes long.
const WAITING_A_WORKER: usize = 16;

/// Runs `work` on every item with `jobs` threads, and `take` on every result in the items' order,
/// as soon as all before it are there. `take` returns false to stop early. A worker decodes and
/// analyses one photo after the other, so while one waits for the disk the others compute.
pub fn in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(usize, R) -> bool,
) {
    let jobs = jobs.clamp(1, items.len().max(1));
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::sync_channel(jobs * WAITING_A_WORKER);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, work, next, stopped) = (sender.clone(), &work, &next, &stopped);
            scope.spawn(move || {
                while !stopped.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    if sender.send((index, work(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut due = 0;
        while let Ok((index, result)) = receiver.recv() {
            early.insert(index, result);
            while let Some(result) = early.remove(&due) {
                if !take(due, result) {
                    stopped.store(true, Ordering::Relaxed);
                    // Dropping the receiver below frees workers that wait to send.
                    return drop(receiver);
                }
                due += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whatever_finishes_first() {
        let items: Vec<u64> = (0..200).collect();
        for jobs in [0, 1, 3, 8] {
            let mut taken = Vec::new();
            let work = |&item: &u64| {
                std::thread::sleep(std::time::Duration::from_micros((item * 37) % 300));
                item * 2
            };
            in_order(&items, jobs, work, |index, result| {
                taken.push((index as u64, result));
                true
            });
            assert_eq!(taken, items.iter().map(|&i| (i, i * 2)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn nothing_more_is_taken_after_a_stop() {
        let mut taken = 0;
        in_order(
            &[0; 1000],
            4,
            |_| (),
            |_, ()| {
                taken += 1;
                taken < 10
            },
        );
        assert_eq!(taken, 10);
        in_order(&[0_u8; 0], 4, |_| (), |_, ()| unreachable!("there are no items"));
    }
}
