//! Tests checkouts of revisions from every kind of repository.

use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::fixture::Repository;

/// The folder for checkouts in a target directory, which is below the repository, as usual.
fn against(repository: &Repository) -> PathBuf {
    repository.path("target/bench_diff/against")
}

fn checkout(repository: &Repository, name: &str) -> Result<Checkout, String> {
    let git = Git::of(&repository.top)?;
    let revision = Revision::resolve(&git, name, &|_| None)?;
    let checkout = Checkout::of(git, &revision, &against(repository))?;
    remove_former(&against(repository), &checkout.folder);
    Ok(checkout)
}

/// The files below a folder, with their content and their times.
fn files(folder: &Path) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let metadata = fs::symlink_metadata(&path).unwrap();
        if metadata.is_dir() {
            found.extend(files(&path));
        } else {
            let content = if metadata.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
            found.insert(path, (content, metadata.modified().unwrap()));
        }
    }
    found
}

/// The names of the files below a folder, without the `.git` folders.
fn names(folder: &Path) -> Vec<String> {
    let names = files(folder).into_keys();
    let names = names.map(|path| path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned());
    names.filter(|name| !name.split('/').any(|part| part == ".git")).collect()
}

/// A repository that ignores `target` and `Cargo.lock`.
fn repository() -> Repository {
    let repository = Repository::new();
    repository.commit("ignore", &[(".gitignore", "target\nCargo.lock\n")]);
    repository
}

#[test]
fn the_tree_is_as_git_checks_it_out() {
    let repository = repository();
    symlink("a", repository.path("link")).unwrap();
    repository
        .write(&[("run.sh", "#!/bin/sh\n"), (".gitattributes", "docs export-ignore\n*.txt text eol=crlf\n")]);
    fs::set_permissions(repository.path("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    let old =
        repository.commit("old", &[("a file/\u{e4}", "1\n"), ("docs/page", "1\n"), ("lines.txt", "1\n")]);
    repository.commit("new", &[("a", "2\n"), ("new", "1\n")]);
    for hook in ["post-checkout", "post-index-change"] {
        let path = repository.path(".git/hooks").join(hook);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "#!/bin/sh\ntouch \"$(git rev-parse --show-toplevel)/hooked\"\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    repository.write(&[("a", "not committed\n")]);
    repository.git("config core.splitIndex true");
    repository.git("config submodule.recurse true");
    let before = files(&repository.top);
    let checkout = checkout(&repository, &old).unwrap();

    let mut after = files(&repository.top);
    after.retain(|path, _| !path.starts_with(against(&repository)));
    assert!(before == after, "the repository is unchanged");
    let tree = checkout.tree;
    let expected =
        [".gitattributes", ".gitignore", "a", "a file/\u{e4}", "docs/page", "lines.txt", "link", "run.sh"];
    assert_eq!(names(&tree), expected);
    assert_eq!(fs::read(tree.join("a")).unwrap(), b"1\n");
    assert_eq!(fs::read(tree.join("lines.txt")).unwrap(), b"1\r\n");
    assert_eq!(fs::read_link(tree.join("link")).unwrap(), Path::new("a"));
    assert_eq!(fs::metadata(tree.join("run.sh")).unwrap().permissions().mode() & 0o111, 0o111);
}

#[test]
fn variables_of_hooks_are_ignored() {
    let ran = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "checkout::tests::the_tree_is_as_git_checks_it_out"])
        .envs([
            ("GIT_DIR", "/absent/.git"),
            ("GIT_WORK_TREE", "/absent"),
            ("GIT_INDEX_FILE", "/absent/index"),
        ])
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && stdout.contains("1 passed"), "{stdout}");
}

#[test]
fn an_existing_tree_is_repaired_and_otherwise_left_alone() {
    let repository = repository();
    repository.commit("old", &[("edited", "1\n"), ("folder/removed", "1\n"), ("left", "1\n")]);
    let checked_out = checkout(&repository, "HEAD").unwrap();
    let tree = &checked_out.tree;
    let before = files(tree);
    fs::write(tree.join("edited"), "2\n").unwrap();
    // As after a cache has removed the folder.
    fs::remove_dir_all(tree.join("folder")).unwrap();
    for new in ["new", "target/x", "target/made.toml", "other/.git/HEAD"] {
        fs::create_dir_all(tree.join(new).parent().unwrap()).unwrap();
        fs::write(tree.join(new), "1\n").unwrap();
    }
    for written in ["Cargo.lock", "target/laid"] {
        checked_out.edit(&tree.join(written), "1\n").unwrap();
    }
    let copied = tree.join("target/copied/x");
    checked_out.will_write(copied.parent().unwrap()).unwrap();
    fs::create_dir(copied.parent().unwrap()).unwrap();
    fs::write(copied, "1\n").unwrap();
    // What a list says that was cut or damaged.
    let outside = against(&repository).join("outside");
    fs::write(&outside, "1\n").unwrap();
    for line in ["", "../../outside", outside.to_str().unwrap()] {
        let list = tree.join("../written");
        fs::write(&list, fs::read_to_string(&list).unwrap() + line + "\n").unwrap();
    }
    // As after a killed git.
    fs::write(tree.join("../modules/index.lock"), "").unwrap();
    assert_eq!(checkout(&repository, "HEAD").unwrap().tree, *tree);
    let after = files(tree);
    assert!(outside.exists());
    // Ignored files stay, since a build script may have made them.
    let made = ["target/made.toml", "target/x"];
    assert_eq!(names(tree), [&[".gitignore", "a", "edited", "folder/removed", "left"][..], &made].concat());
    assert!(!tree.join("other").exists());
    for (path, (content, written)) in &after {
        if path.starts_with(tree.join("target")) || path.ends_with(".git/index") {
            continue;
        }
        assert_eq!(*content, before[path].0, "{}", path.display());
        let is_repaired = ["edited", "folder/removed"].iter().any(|name| path.ends_with(name));
        assert_eq!(*written == before[path].1, !is_repaired, "{}", path.display());
    }
    // As after a cache has removed one or the other.
    for emptied in [tree, &tree.with_file_name("modules")] {
        fs::remove_dir_all(emptied).unwrap();
        checkout(&repository, "HEAD").unwrap();
        assert_eq!(names(tree).len(), 5);
    }
}

#[test]
fn a_tree_that_was_moved_is_made_again() {
    let repository = repository();
    let before = checkout(&repository, "HEAD").unwrap();
    let [moved, tree] = ["moved", "moved/tree"].map(|name| against(&repository).with_file_name(name));
    fs::rename(against(&repository), &moved).unwrap();
    let git = Git::of(&repository.top).unwrap();
    let revision = Revision::resolve(&git, "HEAD", &|_| None).unwrap();
    let after = Checkout::of(git, &revision, &moved).unwrap();
    assert_ne!(after.folder.file_name(), before.folder.file_name());
    assert_eq!(names(&after.tree), [".gitignore", "a"]);
    let folders = [&against(&repository), &moved]
        .map(|against| Checkout::elsewhere(&tree, against, None).unwrap().folder);
    assert_ne!(folders[0].file_name(), folders[1].file_name());
}

#[test]
fn a_sparse_checkout_stays_sparse() {
    let repository = repository();
    repository.commit("old", &[("in/x", "1\n"), ("out/x", "1\n")]);
    repository.git("sparse-checkout set in");
    for _ in 0..2 {
        let tree = checkout(&repository, "HEAD").unwrap().tree;
        assert_eq!(names(&tree), [".gitignore", "a", "in/x"]);
        assert_eq!(within(&tree).git("status --porcelain"), "");
        fs::write(tree.join("in/x"), "2\n").unwrap();
    }
}

#[test]
fn a_partial_clone_is_refused_until_the_command_was_run() {
    let origin = repository();
    let old = origin.commit("old", &[("a", "2\n"), ("gone", "1\n")]);
    fs::remove_file(origin.path("gone")).unwrap();
    origin.commit("new", &[("a", "3\n")]);
    origin.git("config uploadpack.allowFilter true");
    for filter in ["blob:none", "tree:0"] {
        let clone = origin.clone(&format!("--filter={filter}"));
        let error = checkout(&clone, "HEAD~1").map(drop).unwrap_err();
        let command = format!("`git diff --stat HEAD {old}` fetches them");
        assert!(error.ends_with(&format!("this clone lacks files of that revision: {command}")), "{error}");
        clone.git(&format!("diff --stat HEAD {old}"));
        assert_eq!(names(&checkout(&clone, "HEAD~1").unwrap().tree), [".gitignore", "a", "gone"]);
    }
}

#[test]
fn a_sparse_partial_clone_has_all_files_that_it_needs() {
    let origin = repository();
    origin.commit("old", &[("in/x", "1\n"), ("out/x", "1\n")]);
    origin.git("config uploadpack.allowFilter true");
    let clone = origin.clone("--filter=blob:none --sparse");
    clone.git("sparse-checkout set in");
    origin.git("config uploadpack.allowFilter false");
    assert_eq!(names(&checkout(&clone, "HEAD").unwrap().tree), [".gitignore", "a", "in/x"]);
}

#[test]
fn submodules_come_from_the_local_clone() {
    let inner = Repository::new();
    let module = Repository::new();
    module.git(&format!("submodule --quiet add {} inner", plain(&inner)));
    module.commit("with inner", &[]);
    let repository = repository();
    repository.git(&format!("submodule --quiet add {} module", plain(&module)));
    repository.git(&format!("submodule --quiet add --name other {} named", plain(&inner)));
    repository.git("submodule --quiet update --init --recursive");
    let old = repository.commit("old", &[]);
    let newer = module.commit("newer", &[("b", "1\n")]);
    for _ in 0..2 {
        let tree = checkout(&repository, &old).unwrap().tree;
        assert!(names(&tree).contains(&"module/inner/a".to_owned()), "{:?}", names(&tree));
        for path in ["module", "module/inner"] {
            let today = repository.git(&format!("-C {path} rev-parse HEAD"));
            assert_eq!(within(&tree.join(path)).id("HEAD"), today, "{path}");
        }
        assert_eq!(within(&tree).git("status --porcelain"), "");
        fs::write(tree.join("module/a"), "edited").unwrap();
        for file in ["module/inner/a", "named/a"] {
            fs::remove_file(tree.join(file)).unwrap();
        }
    }

    let of_newer = format!("update-index --cacheinfo 160000,{newer},module");
    repository.git(&of_newer);
    repository.git("commit --quiet -m pinned");
    let error = checkout(&repository, "HEAD").map(drop).unwrap_err();
    assert!(
        error.contains("the submodule module lacks the commit of that revision: run `git -C "),
        "{error}"
    );
    assert!(error.ends_with(&format!("fetch origin {newer}`")), "{error}");

    repository.git("rm --quiet -f module named");
    repository.commit("without", &[]);
    let tree = checkout(&repository, &old).unwrap().tree;
    for file in ["module/inner/a", "named/a"] {
        assert!(tree.join(file).exists(), "git keeps the clone of a removed submodule: {file}");
    }
    // A submodule that is missing in the working tree is not needed to build.
    let clone = repository.clone("");
    let tree = checkout(&clone, &old).unwrap().tree;
    assert_eq!(names(&tree.join("module")), [""; 0]);
}

/// The path to a repository without blanks, for an argument without quotes.
fn plain(repository: &Repository) -> String {
    let link = repository.top.with_file_name("link");
    if !link.exists() {
        symlink(&repository.top, &link).unwrap();
    }
    link.display().to_string()
}

/// The repository in a tree, as a build script would find it.
fn within(tree: &Path) -> Repository {
    assert!(tree.join(".git/HEAD").exists());
    Repository::of_another_process(tree.to_owned())
}

#[test]
fn a_build_script_finds_a_repository_at_that_commit() {
    let repository = repository();
    repository.git("tag -a -m first v1");
    // Without the user's settings, git would hash these files again and see them as changed.
    repository.git("config core.autocrlf true");
    let old = repository.commit("old", &[("Cargo.toml", "old\r\n")]);
    repository.git("tag v2-rc");
    repository.git("pack-refs --all");
    let next = repository.commit("next", &[("Cargo.toml", "next\r\n")]);
    repository.git("tag light");
    repository.git("remote add origin https://example.com/mine.git");
    let contents = || files(&repository.path(".git")).into_iter().map(|(path, (content, _))| (path, content));
    let before: Vec<_> = contents().collect();

    let checked_out = checkout(&repository, &next).unwrap();
    let there = within(&checked_out.tree);
    for (file, text) in [("Cargo.toml", "edited\n"), ("Cargo.lock", "made\n")] {
        checked_out.edit(&checked_out.tree.join(file), text).unwrap();
    }
    assert_eq!(there.id("HEAD"), next);
    assert_eq!(there.git("describe --tags --dirty"), "light");
    assert_eq!(
        there.git("describe --tags --long v2-rc"),
        format!("v2-rc-0-g{}", there.git("rev-parse --short v2-rc"))
    );
    assert_eq!(there.git("describe"), format!("v1-2-g{}", there.git("rev-parse --short HEAD")));
    assert_eq!(there.git("status --porcelain"), "");
    assert_eq!(there.git("log --format=%s"), "next\nold\nignore\none");
    assert_eq!(there.git("rev-parse --show-toplevel"), checked_out.tree.display().to_string());
    assert_eq!(there.git("remote get-url origin"), "https://example.com/mine.git");
    fs::write(checked_out.tree.join("a"), "of a build script\n").unwrap();
    assert_eq!(there.git("status --porcelain"), " M a");

    // Nothing that a build script does there affects the user's repository.
    there.git("config user.email x@y");
    there.git("tag mine");
    there.commit("mine", &[("new", "1\n")]);
    assert!(contents().eq(before));
    fs::write(there.path(".git/index.lock"), "").unwrap();
    drop(checked_out);

    let time = |name: &str| fs::metadata(there.path(".git").join(name)).unwrap().modified().unwrap();
    let checked_out = checkout(&repository, &next).unwrap();
    let times = [time("HEAD"), time("packed-refs"), time("index")];
    assert_eq!((there.id("HEAD"), there.git("status --porcelain")), (next.clone(), String::new()));
    drop(checked_out);
    checkout(&repository, &next).unwrap();
    assert!(times == [time("HEAD"), time("packed-refs"), time("index")], "a build script would run again");

    // Two commits with the same tree share the folder, but not their ids.
    repository.git("commit --quiet --allow-empty -m same");
    checkout(&repository, "HEAD").unwrap();
    assert_eq!(there.id("HEAD"), repository.id("HEAD"));
    assert_eq!(within(&checkout(&repository, &old).unwrap().tree).id("HEAD"), old);
}

#[test]
fn a_shallow_clone_is_shallow_in_the_tree_too() {
    let origin = repository();
    origin.commit("two", &[("a", "2\n")]);
    origin.commit("three", &[("a", "3\n")]);
    let clone = origin.clone("--depth 2");
    let tree = checkout(&clone, "HEAD~1").unwrap().tree;
    assert_eq!(within(&tree).git("log --format=%s"), "two");
}

#[test]
fn a_repository_with_long_ids_works() {
    let repository = Repository::empty();
    repository.git("init --quiet -b main --object-format=sha256");
    let id = repository.commit("one", &[(".gitignore", "target\n")]);
    let tree = checkout(&repository, "HEAD").unwrap().tree;
    assert_eq!((within(&tree).id("HEAD"), id.len()), (id, 64));
}

#[test]
fn pointers_of_lfs_are_reported() {
    let repository = repository();
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n";
    repository.commit(
        "old",
        &[(".gitattributes", "*.bin filter=lfs -text\n"), ("x.bin", pointer), ("y.bin", pointer)],
    );
    // Like the filter of LFS, it would fetch the content without this variable.
    let filter = repository.top.with_file_name("smudge");
    fs::write(&filter, "#!/bin/sh\ntest \"$GIT_LFS_SKIP_SMUDGE\" = 1 && exec cat\n").unwrap();
    fs::set_permissions(&filter, fs::Permissions::from_mode(0o755)).unwrap();
    repository.git(&format!("config filter.lfs.smudge {}", filter.display()));
    repository.git("config filter.lfs.clean cat");
    repository.git("config filter.lfs.required true");
    let checkout = checkout(&repository, "HEAD").unwrap();
    assert_eq!(fs::read_to_string(checkout.tree.join("x.bin")).unwrap(), pointer);
    let note = checkout.note().unwrap();
    assert!(note.starts_with("the old revision has only Git LFS pointers for 2 files: "), "{note}");
    assert_eq!(self::checkout(&repository, "HEAD~1").unwrap().note(), None);
}

#[test]
fn a_worktree_of_a_bare_clone_is_a_repository() {
    let origin = repository();
    let bare = Repository::empty();
    bare.git(&format!("clone --quiet --bare {} bare", plain(&origin)));
    bare.git("-C bare worktree add --quiet ../mine main");
    let list = || bare.git("-C bare worktree list");
    let before = list();
    let git = Git::of(&bare.path("mine")).unwrap();
    assert_eq!(git.top, bare.path("mine"));
    let revision = Revision::resolve(&git, "HEAD~1", &|_| None).unwrap();
    let checkout = Checkout::of(git, &revision, &bare.path("against")).unwrap();
    assert_eq!(names(&checkout.tree), ["a"]);
    assert_eq!(within(&checkout.tree).git("rev-parse HEAD"), origin.id("HEAD~1"));
    assert_eq!(list(), before);
}

#[test]
fn the_last_two_trees_and_used_ones_stay() {
    let repository = repository();
    let mut ids = vec![repository.id("HEAD")];
    ids.extend(["2", "3", "4"].map(|text| repository.commit(text, &[("a", text)])));
    let age = |checkout: &Checkout, seconds| {
        let mark = open(&checkout.folder.join(IN_USE)).unwrap();
        mark.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
    };
    // As after a killed process.
    fs::create_dir_all(against(&repository).join("removed/tree")).unwrap();
    let used = checkout(&repository, &ids[0]).unwrap();
    age(&used, 40);
    let folders = ids[1..].iter().zip([30, 20, 10]).map(|(id, seconds)| {
        let checkout = checkout(&repository, id).unwrap();
        age(&checkout, seconds);
        checkout.folder.clone()
    });
    let folders: Vec<PathBuf> = folders.collect();
    assert_eq!(
        [&used.folder, &folders[0], &folders[1], &folders[2]].map(|path| path.exists()),
        [true, false, true, true]
    );
    drop(used);
    let target: TempDir = tempfile::tempdir_in(against(&repository)).unwrap();
    assert!(checkout(&repository, &ids[3]).is_ok() && target.path().exists());
    assert_eq!(fs::read_dir(against(&repository)).unwrap().count(), 3);
}

#[test]
fn files_that_differ_are_found() {
    let repository = repository();
    repository.write(&[(".gitattributes", "*.bin filter=lfs\n"), ("with.bin", "pointer\n")]);
    let old = repository.commit("old", &[("data/a b.txt", "1\n"), ("data/c.txt", "1\n"), ("gone", "1\n")]);
    repository.git("rm --quiet gone");
    repository.commit("new", &[("late", "1\n")]);
    repository.write(&[("data/a b.txt", "2\n"), ("data/untracked", "1\n"), ("target/ignored", "1\n")]);
    let revision = Revision::resolve(&Git::of(&repository.top).unwrap(), &old, &|_| None).unwrap();
    let checkout = checkout(&repository, &old).unwrap();
    let changed = || {
        let mut files = checkout.changed_files(&revision).unwrap();
        files.sort_unstable();
        files.join(", ")
    };
    assert_eq!(changed(), "data/a b.txt, data/untracked, gone, late, with.bin");
    repository.git("update-index --assume-unchanged data/c.txt");
    repository.write(&[("data/c.txt", "2\n")]);
    assert_eq!(changed(), "data/a b.txt, data/c.txt, data/untracked, gone, late, with.bin");
}

#[test]
fn another_version_of_a_file_is_seen_by_its_size_or_time() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    for inner in ["src", "target"] {
        fs::create_dir(at(inner)).unwrap();
    }
    fs::write(at("src/lib.rs"), "a").unwrap();
    let first = contents(folder.path());
    for of_build in ["target/x", "Cargo.lock", ".cache"] {
        fs::write(at(of_build), "").unwrap();
    }
    assert_eq!(contents(folder.path()), first);
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1);
    File::options().write(true).open(at("src/lib.rs")).unwrap().set_modified(time).unwrap();
    let second = contents(folder.path());
    assert_ne!(second, first, "older");
    fs::write(at("src/lib.rs"), "ab").unwrap();
    assert_ne!(contents(folder.path()), second);
}
