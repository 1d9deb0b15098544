//! Compiles the library, which is one file, with the system's C compiler, and links zlib. $CC and $AR
//! name other programs than cc and ar, $CC_TARGET and $AR_TARGET those for another target.
use std::env;
use std::path::PathBuf;
use std::process::Command;

fn tool(name: &str, usual: &str) -> String {
    let target = env::var("TARGET").unwrap().replace('-', "_");
    let own = format!("{name}_{target}");
    println!("cargo:rerun-if-env-changed={name}");
    println!("cargo:rerun-if-env-changed={own}");
    env::var(own).or_else(|_| env::var(name)).unwrap_or_else(|_| usual.to_string())
}

fn run(program: &str, arguments: &[&str]) {
    let status = Command::new(program).args(arguments).status();
    if !status.as_ref().is_ok_and(|status| status.success()) {
        panic!(
            "{program} {}: {status:?}; is there a C compiler, and zlib's header?",
            arguments.join(" ")
        );
    }
}

fn main() {
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    let object = out.join("cairn.o").display().to_string();
    let archive = out.join("libcairn.a").display().to_string();
    let flags = ["-std=gnu11", "-O2", "-DNDEBUG", "-fPIC", "-c", "cairn.c", "-o", &object];
    run(&tool("CC", "cc"), &flags);
    run(&tool("AR", "ar"), &["rcs", &archive, &object]);
    println!("cargo:rerun-if-changed=cairn.c");
    println!("cargo:rerun-if-changed=cairn.h");
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=cairn");
    println!("cargo:rustc-link-lib=z");
}
