//! Compiles the library, which is one file, with the system's C compiler, and links zlib. $CC and
//! $AR name other programs than cc and ar, with options of theirs, $CC_TARGET and $AR_TARGET those
//! for another target; $CFLAGS and $CFLAGS_TARGET are more options of the compiler.
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a variable says, that for the target before the general one.
fn setting(name: &str, usual: &str) -> Vec<String> {
    let target = env::var("TARGET").unwrap().replace('-', "_");
    let own = format!("{name}_{target}");
    println!("cargo:rerun-if-env-changed={name}");
    println!("cargo:rerun-if-env-changed={own}");
    let value = env::var(own).or_else(|_| env::var(name)).unwrap_or_default();
    let value = if value.trim().is_empty() { usual.to_string() } else { value };
    if Path::new(&value).exists() {
        return vec![value]; // a name with blanks
    }
    value.split_whitespace().map(str::to_string).collect()
}

fn run(words: &[String]) {
    let status = Command::new(&words[0]).args(&words[1..]).status();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("{}: {status}; is there zlib's header?", words.join(" ")),
        Err(error) => panic!("{}: {error}; is there a C compiler?", words[0]),
    }
}

fn words(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| text.to_string()).collect()
}

fn main() {
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    let object = out.join("cairn.o").display().to_string();
    let archive = out.join("libcairn.a").display().to_string();
    let flags = words(&["-std=gnu11", "-O2", "-DNDEBUG", "-fPIC"]);
    let files = words(&["-c", "cairn.c", "-o", &object]);
    run(&[setting("CC", "cc"), flags, setting("CFLAGS", ""), files].concat());
    run(&[setting("AR", "ar"), words(&["rcs", &archive, &object])].concat());
    println!("cargo:rerun-if-changed=cairn.c");
    println!("cargo:rerun-if-changed=cairn.h");
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=cairn");
    println!("cargo:rustc-link-lib=z");
}
