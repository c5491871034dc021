//! Finds the partners of pairs on the old side: by name, and by arg if several pairs have one name.

use std::collections::HashMap;

/// The name of a pair without its number, and the digest of its arg.
pub(super) type Labelled<'a> = (&'a str, Option<u64>);

/// The partner of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Partner {
    /// The pair at this position of the old side.
    Found(usize),
    Nobody,
    /// One of several, but their args do not tell which.
    Unclear,
}

/// The partners of the pairs of each side.
pub(super) fn partners(sides: [&[Labelled<'_>]; 2]) -> [Vec<Partner>; 2] {
    let mut groups: HashMap<&str, [Vec<usize>; 2]> = HashMap::new();
    for (side, pairs) in sides.iter().enumerate() {
        for (index, (label, _)) in pairs.iter().enumerate() {
            groups.entry(label).or_default()[side].push(index);
        }
    }
    let mut partners = sides.map(|pairs| vec![Partner::Nobody; pairs.len()]);
    for group in groups.values() {
        let digests = [0, 1].map(|side| {
            let digests = group[side].iter().map(|index| sides[side][*index].1);
            digests.collect::<Vec<Option<u64>>>()
        });
        let found = found(&digests);
        for (one, other) in &found {
            let [one, other] = [group[0][*one], group[1][*other]];
            (partners[0][one], partners[1][other]) = (Partner::Found(other), Partner::Found(one));
        }
        // A function of one side only is new or gone.
        if group.iter().all(|indices| indices.len() > found.len()) {
            for (side, indices) in group.iter().enumerate() {
                let without = indices.iter().filter(|index| partners[side][**index] == Partner::Nobody);
                let without: Vec<usize> = without.copied().collect();
                without.into_iter().for_each(|index| partners[side][index] = Partner::Unclear);
            }
        }
    }
    partners
}

/// Which of the pairs of one name are partners, by their args.
fn found(digests: &[Vec<Option<u64>>; 2]) -> Vec<(usize, usize)> {
    let [now, then] = digests;
    if now == then || [now.len(), then.len()] == [1, 1] {
        return (0..now.len()).map(|index| (index, index)).collect();
    }
    let only = |digests: &[Option<u64>], digest: u64| {
        let mut indices = (0..digests.len()).filter(|index| digests[*index] == Some(digest));
        indices.next().filter(|_| indices.next().is_none())
    };
    let pairs = now.iter().flatten().filter_map(|digest| Some((only(now, *digest)?, only(then, *digest)?)));
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::Partner::{Found, Nobody, Unclear};
    use super::*;

    /// The partners of args of one name.
    fn of(now: &[Option<u64>], then: &[Option<u64>]) -> [Vec<Partner>; 2] {
        let [now, then] = [now, then].map(|args| args.iter().map(|arg| ("a/1", *arg)).collect::<Vec<_>>());
        partners([&now, &then])
    }

    #[test]
    fn a_name_of_one_pair_on_each_side_is_enough() {
        assert_eq!(of(&[Some(1)], &[Some(2)]), [[Found(0)], [Found(0)]]);
        assert_eq!(of(&[None], &[Some(2)]), [[Found(0)], [Found(0)]]);
        let (now, then) = ([("b", None), ("a", None), ("c", None)], [("a", None), ("d", None)]);
        let expected = [vec![Nobody, Found(0), Nobody], vec![Found(1), Nobody]];
        assert_eq!(partners([&now, &then]), expected);
    }

    #[test]
    fn pairs_of_one_name_meet_by_their_args() {
        let [one, two, three] = [1, 2, 3].map(Some);
        assert_eq!(
            of(&[three, one, two], &[one, two]),
            [vec![Nobody, Found(0), Found(1)], vec![Found(1), Found(2)]],
            "one in front"
        );
        assert_eq!(of(&[two], &[one, two]), [vec![Found(1)], vec![Nobody, Found(0)]]);
        assert_eq!(of(&[two, one], &[one, two]), [[Found(1), Found(0)], [Found(1), Found(0)]]);
        assert_eq!(of(&[three, two], &[one, two]), [[Unclear, Found(1)], [Unclear, Found(1)]]);
    }

    #[test]
    fn pairs_that_their_args_do_not_tell_apart_meet_in_the_same_number_and_order() {
        let one = Some(1);
        for same in [vec![None, None], vec![one, one], vec![one, None, one]] {
            let expected: Vec<Partner> = (0..same.len()).map(Found).collect();
            assert_eq!(of(&same, &same), [expected.clone(), expected]);
        }
        assert_eq!(of(&[None, None, None], &[None, None]), [vec![Unclear; 3], vec![Unclear; 2]]);
        assert_eq!(of(&[one, one], &[one]), [vec![Unclear; 2], vec![Unclear]]);
        assert_eq!(of(&[one, one, Some(2)], &[Some(2)]), [vec![Nobody, Nobody, Found(0)], vec![Found(2)]]);
    }
}
