//! How the processes of a binary find a pair.

use bench_diff_core::Seed;

/// A pair as one process of its binary lists it, for the others to find it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct PairKey {
    /// The position of its attribute in the binary.
    pub(crate) attribute: usize,
    /// The digest of its name among the pairs of the attribute.
    pub(crate) name: u64,
    /// Its position among them.
    pub(crate) index: usize,
    /// The names of all of them, if a front end gives names, which may contain the time or the process id.
    /// None for `#[bench_diff]`, whose names are the same in every process.
    pub(crate) names: Names,
}

/// The names of an attribute in one process, whatever their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Names {
    pub(crate) count: usize,
    /// The sum of their digests.
    sum: u64,
}

impl PairKey {
    /// Returns whether a front end gives the name. Other pairs may then have the same one.
    pub(crate) fn is_named_by_front_end(self) -> bool {
        self.names.count > 0
    }

    /// Returns whether the key `again`, from another process of the binary, is that of the same pair with
    /// another name.
    pub(crate) fn is_renamed(self, again: Self) -> bool {
        (self.attribute, self.index) == (again.attribute, again.index)
            && self.name != again.name
            && self.names.are_renamed(again.names)
    }

    pub(crate) fn numbers(self) -> [u64; 5] {
        let Self { attribute, name, index, names: Names { count, sum } } = self;
        [attribute as u64, name, index as u64, count as u64, sum]
    }

    pub(crate) fn of_numbers([attribute, name, index, count, sum]: [u64; 5]) -> Self {
        let names = Names { count: count as usize, sum };
        Self { attribute: attribute as usize, name, index: index as usize, names }
    }
}

impl Names {
    /// The names of an attribute, if a front end gives them.
    pub(crate) fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut all = Self::default();
        names.into_iter().for_each(|name| all.add(name));
        all
    }

    pub(crate) fn add(&mut self, name: &str) {
        self.count += 1;
        self.sum = self.sum.wrapping_add(digest(name));
    }

    /// Returns whether another process has other names, and equally many.
    pub(crate) fn are_renamed(self, again: Self) -> bool {
        self.count == again.count && self.sum != again.sum
    }
}

/// The digest of the name of a pair.
pub(crate) fn digest(name: &str) -> u64 {
    Seed(0).for_pair(name).0
}
