//! The proof, before any measurement, that both functions of a pair have identical machine code, and what
//! keeps most functions of a run from being proven.

use bench_diff_report::record::{Differs, Hindrance, Obstacle};

use super::pair_plan::PairPlan;

/// The comparison of the machine code of both functions of a pair; the default if nothing was compared.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Proof {
    /// True if it is the same, so the ratio is 1 wherever the code lies.
    pub(crate) is_same: bool,
    pub(crate) differs: Option<Differs>,
    /// The obstacle, if the code was compared and is not known to be the same.
    pub(crate) cause: Option<Cause>,
}

impl Proof {
    pub(crate) fn same() -> Self {
        Self { is_same: true, ..Self::default() }
    }

    /// The proof of functions that may be the same, which is not known for this reason.
    pub(crate) fn unknown(reason: String) -> Self {
        Self { cause: Some(Cause { obstacle: Obstacle::Unknown, why: reason }), ..Self::default() }
    }
}

/// The obstacle to the proof of one pair.
#[derive(Clone, Debug, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Cause {
    pub(crate) obstacle: Obstacle,
    /// The reason or the call in words, or the path of the function.
    pub(crate) why: String,
}

/// The obstacle that most of the unproven pairs share, if these are more than half of all that are
/// compared. Changed code of one benchmark is no hindrance: that is what the run is about.
pub(crate) fn most_common_hindrance(pairs: &[PairPlan]) -> Option<Hindrance> {
    let compared = || pairs.iter().filter(|pair| pair.can_be_proven() && pair.ignored.is_none());
    let unproven: Vec<&PairPlan> = compared().filter(|pair| !pair.proof.is_same).collect();
    if 2 * unproven.len() <= compared().count() {
        return None;
    }
    let mut groups: Vec<(&Cause, Vec<&PairPlan>)> = Vec::new();
    for (cause, pair) in unproven.iter().filter_map(|pair| Some((pair.proof.cause.as_ref()?, *pair))) {
        match groups.iter_mut().find(|(first, _)| first == &cause) {
            Some((_, hindered)) => hindered.push(pair),
            None => groups.push((cause, vec![pair])),
        }
    }
    let (Cause { obstacle, why }, hindered) =
        groups.into_iter().find(|(_, hindered)| 2 * hindered.len() > unproven.len())?;
    let is_common = match obstacle {
        Obstacle::Unknown => true,
        Obstacle::Call | Obstacle::Function => {
            hindered.iter().any(|pair| pair.listed.key.attribute != hindered[0].listed.key.attribute)
        }
    };
    is_common.then(|| Hindrance { obstacle: *obstacle, why: why.clone(), functions: hindered.len() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal, planned};
    use crate::plan::Proof;

    /// The hindrance of a run whose functions have these causes. `None` stands for a proven function.
    fn of_most(causes: &[Option<(Obstacle, &str)>]) -> Option<(Obstacle, String, usize)> {
        let names: Vec<&'static str> = (0..causes.len()).map(|at| &*format!("f{at}").leak()).collect();
        let entries: Vec<_> =
            names.into_iter().zip(1..).map(|(name, line)| entry(name, line, equal)).collect();
        let mut plan = planned("--bench --judge sequential", &entries);
        for (at, (pair, cause)) in plan.pairs.iter_mut().zip(causes).enumerate() {
            pair.listed.key.attribute = at;
            pair.proof = match *cause {
                Some((obstacle, why)) => {
                    Proof { cause: Some(Cause { obstacle, why: why.to_owned() }), ..Proof::default() }
                }
                None => Proof::same(),
            };
        }
        let Hindrance { obstacle, why, functions } = most_common_hindrance(&plan.pairs)?;
        Some((obstacle, why, functions))
    }

    #[test]
    fn it_is_told_where_fewer_than_half_are_proven() {
        let call = Some((Obstacle::Call, "now calls `step`"));
        let told = Some((Obstacle::Call, "now calls `step`".to_owned(), 2));
        assert_eq!(of_most(&[call, call, None, None]), None);
        assert_eq!(of_most(&[call, call, None]), told);
        assert_eq!(of_most(&[call, call]), told);
        assert_eq!(of_most(&[None, None]), None);
        assert_eq!(of_most(&[]), None);
    }

    #[test]
    fn it_is_what_most_have_in_common() {
        let [one, other] = ["one", "other"].map(|why| Some((Obstacle::Unknown, why)));
        let step = Some((Obstacle::Function, "step"));
        assert_eq!(of_most(&[one, step, step, step]), Some((Obstacle::Function, "step".to_owned(), 3)));
        assert_eq!(of_most(&[one, other, step, step]), None, "it is half of them");
        assert_eq!(of_most(&[one]), Some((Obstacle::Unknown, "one".to_owned(), 1)));
    }

    #[test]
    fn code_that_changed_is_none() {
        let [one, other] = ["f0", "f1"].map(|function| Some((Obstacle::Function, function)));
        assert_eq!(of_most(&[one, other]), None);
        assert_eq!(of_most(&[one]), None);
        assert_eq!(of_most(&[Some((Obstacle::Call, "now calls the allocator; 3f2c9e1 did not"))]), None);
    }
}
