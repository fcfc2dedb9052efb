//! Wrong PINs: how many an address may send, and when it has to wait. Nobody can keep others out by guessing.
//!
//! An address has a few tries a minute. Once many wrong ones came from anywhere, an address that has been wrong waits
//! longer; one that has not, or that gave the right PIN before, is always heard.

use std::{
    collections::{HashMap, HashSet},
    net::IpAddr,
    time::{Duration, Instant},
};

/// How many wrong PINs are heard.
#[derive(Debug, Clone)]
pub struct TryLimits {
    /// Wrong PINs that one address may send in a minute. Default 5.
    pub a_minute: usize,
    /// Wrong PINs in an hour, from all addresses together, that make an attack. Default 30.
    pub attack_an_hour: usize,
    /// During one, an address that was wrong is heard again after so many seconds. Default 600: a guesser with all 254
    /// addresses of a network finds one of a million PINs in two weeks on average, and is told of meanwhile.
    pub attack_wait_secs: u64,
}

impl Default for TryLimits {
    fn default() -> Self {
        Self { a_minute: 5, attack_an_hour: 30, attack_wait_secs: 600 }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Tries {
    wrong: HashMap<IpAddr, Vec<Instant>>,
    /// Addresses that gave the right PIN.
    known: HashSet<IpAddr>,
}

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

impl Tries {
    /// Counts a try as wrong until it is known to be right. `Err`: seconds to wait; nothing is counted then.
    pub fn begin(&mut self, from: IpAddr, now: Instant, limits: &TryLimits) -> Result<(), u64> {
        self.wrong.retain(|_, tries| {
            tries.retain(|at| now.duration_since(*at) < HOUR);
            !tries.is_empty()
        });
        let all = self.last_hour().0;
        let own = self.wrong.entry(from).or_default();
        let left = |at: &Instant, within: Duration| (within - now.duration_since(*at)).as_secs() + 1;
        let recent: Vec<&Instant> = own.iter().filter(|at| now.duration_since(**at) < MINUTE).collect();
        if let Some(first) = recent.first().filter(|_| recent.len() >= limits.a_minute) {
            return Err(left(first, MINUTE));
        }
        let attack_wait = Duration::from_secs(limits.attack_wait_secs);
        let last = own.last().filter(|at| now.duration_since(**at) < attack_wait);
        if let Some(last) = last.filter(|_| all >= limits.attack_an_hour && !self.known.contains(&from)) {
            return Err(left(last, attack_wait));
        }
        own.push(now);
        Ok(())
    }

    /// The try that was counted last was right.
    pub fn right(&mut self, from: IpAddr) {
        self.wrong.entry(from).or_default().pop();
        self.known.insert(from);
    }

    /// Wrong tries and their addresses.
    pub fn last_hour(&self) -> (usize, usize) {
        (self.wrong.values().map(Vec::len).sum(), self.wrong.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    #[test]
    fn sixty_wrong_pins_from_twelve_addresses_lock_nobody_else_out() {
        let (mut tries, limits, start) = (Tries::default(), TryLimits::default(), Instant::now());
        let at = |secs| start + Duration::from_secs(secs);
        // The referee's own phone, from before.
        tries.begin(address(99), at(0), &limits).unwrap();
        tries.right(address(99));
        let mut heard = 0;
        for round in 0..5 {
            for last in 1..=12 {
                heard += usize::from(tries.begin(address(last), at(60 * round), &limits).is_ok());
            }
        }
        assert!((30..=42).contains(&heard), "{heard} were heard before it counted as an attack");
        assert_eq!(tries.begin(address(1), at(300), &limits).unwrap_err() / 60, 7);
        // One that was never wrong is heard, and so is the referee, even after mistyping.
        assert!(tries.begin(address(50), at(300), &limits).is_ok());
        for _ in 0..3 {
            assert!(tries.begin(address(99), at(301), &limits).is_ok());
        }
    }

    #[test]
    fn an_address_has_so_many_tries_a_minute() {
        let (mut tries, start) = (Tries::default(), Instant::now());
        let limits = TryLimits { a_minute: 3, ..TryLimits::default() };
        for _ in 0..3 {
            tries.begin(address(1), start, &limits).unwrap();
        }
        assert_eq!(tries.begin(address(1), start + Duration::from_secs(1), &limits), Err(60));
        assert!(tries.begin(address(2), start, &limits).is_ok());
        assert!(tries.begin(address(1), start + Duration::from_secs(61), &limits).is_ok());
        assert_eq!(tries.last_hour(), (5, 2));
    }
}
