//! Bets on the mean of shares.

use crate::stats::ln_sum_exp;

/// The stakes of the bets as parts of the largest possible one; each bet has a third of the money. Small
/// stakes survive rounds with few slow calls, large ones grow fast if there are many. No bet stakes
/// everything, since a single share of 0 would end it.
const STAKES: [f64; 3] = [0.3, 0.6, 0.95];

/// Bets against "given the earlier shares, the mean of the shares is at most this bound", for shares from 0
/// to 1.
///
/// Each multiplies its money by 1 + s (x - m) / m for a share x, the bound m and its stake s. If the
/// statement is true, the money is a nonnegative supermartingale, whenever one looks at it (Waudby-Smith &
/// Ramdas 2024, "Estimating means of bounded random variables by betting").
#[derive(Clone, Debug)]
pub(super) struct Bets {
    bound: f64,
    ln_money: [f64; STAKES.len()],
    largest: f64,
}

impl Bets {
    pub(super) fn against(bound: f64) -> Self {
        Self { bound, ln_money: [0.0; STAKES.len()], largest: 0.0 }
    }

    pub(super) fn add(&mut self, share: f64) {
        for (ln_money, stake) in self.ln_money.iter_mut().zip(STAKES) {
            *ln_money += (stake * (share / self.bound - 1.0)).ln_1p();
        }
        self.largest = self.largest.max(self.ln_e());
    }

    /// ln of the current evidence.
    pub(super) fn ln_e(&self) -> f64 {
        ln_sum_exp(&self.ln_money) - (STAKES.len() as f64).ln()
    }

    /// The p-value, valid whenever the run stops: 1 over the largest evidence so far (Ville 1939).
    pub(super) fn p(&self) -> f64 {
        (-self.largest).exp()
    }

    pub(super) fn has_decided(&self, rate: f64) -> bool {
        self.largest >= -rate.ln()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shares_at_the_bound_are_no_evidence() {
        let mut bets = Bets::against(0.6);
        (0..100).for_each(|_| bets.add(0.6));
        assert!(bets.ln_e().abs() < 1e-12);
        assert!((bets.p() - 1.0).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn the_money_is_a_martingale_of_shares_with_the_mean_of_the_bound(
            bound in 0.05..0.95, low in 0.0..1.0_f64, high in 0.0..1.0_f64, before in prop::collection::vec(0.0..1.0, 0..9)
        ) {
            let mut bets = Bets::against(bound);
            before.into_iter().for_each(|share| bets.add(share));
            let (low, high) = (low * bound, bound + high * (1.0 - bound));
            prop_assume!(high - low > 1e-6);
            let of_high = (bound - low) / (high - low);
            let after = |share| {
                let mut bets = bets.clone();
                bets.add(share);
                bets.ln_e().exp()
            };
            let mean = of_high * after(high) + (1.0 - of_high) * after(low);
            prop_assert!((mean / bets.ln_e().exp() - 1.0).abs() < 1e-9);
        }

        #[test]
        fn a_larger_share_is_no_less_evidence(
            bound in 0.05..0.95, share in 0.0..1.0_f64, more in 0.0..1.0_f64
        ) {
            let of = |share| {
                let mut bets = Bets::against(bound);
                bets.add(share);
                bets.ln_e()
            };
            prop_assert!(of(share + more * (1.0 - share)) >= of(share));
        }
    }
}
