"""The recipes for vcpkg and Conan, and the other files that say what Cairn is, against the tree:
these tools are played by a few functions, as far as the recipes use them.

    python3 tests/package/recipes.py FOLDER      FOLDER: where builds are configured
"""
import fnmatch
import json
import pathlib
import re
import shutil
import subprocess
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]

# vcpkg as the port calls it. A build is configured, and what is to be installed is looked up in it.
VCPKG = """
cmake_minimum_required(VERSION 3.21)
set(CURRENT_PORT_DIR "{port}")
set(CURRENT_PACKAGES_DIR "{folder}/packages")
set(FEATURES {features})
function(vcpkg_cmake_configure)
  cmake_parse_arguments(given "" "SOURCE_PATH" "OPTIONS" ${{ARGN}})
  execute_process(
    COMMAND ${{CMAKE_COMMAND}} -S ${{given_SOURCE_PATH}} -B {folder}/build ${{given_OPTIONS}}
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE said)
  if(status OR said MATCHES "not used by the project")
    message(FATAL_ERROR "${{said}}")
  endif()
endfunction()
function(wanted place)
  file(READ {folder}/build/lib/cmake_install.cmake rules)
  if(NOT rules MATCHES "${{place}}")
    message(FATAL_ERROR "nothing is installed into ${{place}}")
  endif()
endfunction()
function(vcpkg_cmake_install)
endfunction()
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(given "" "CONFIG_PATH" "" ${{ARGN}})
  wanted(${{given_CONFIG_PATH}})
endfunction()
function(vcpkg_fixup_pkgconfig)
  wanted(pkgconfig)
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(given "" "" "FILE_LIST" ${{ARGN}})
  file(SIZE ${{given_FILE_LIST}} size)
endfunction()
include("{port}/portfile.cmake")
"""


def text_of(name):
    return (ROOT / name).read_text()


def version():
    return re.search(r"project\(cairn VERSION ([0-9.]+)", text_of("CMakeLists.txt"))[1]


def versions_agree(_):
    said = {
        "CITATION.cff": re.search(r"^version: (.*)$", text_of("CITATION.cff"), re.M)[1],
        "vcpkg.json": json.loads(text_of("packaging/vcpkg/cairn/vcpkg.json"))["version"],
        "base.h": ".".join(re.findall(r"#define CAIRN_VERSION_[A-Z]+ (\d+)",
                                      text_of("lib/include/cairn/base.h"))),
    }
    assert set(said.values()) == {version()}, said


def the_citation_says_what_it_must(_):
    lines = text_of("CITATION.cff").splitlines()
    keys = {line.split(":")[0] for line in lines if re.match(r"[a-z]", line)}
    assert {"cff-version", "message", "title", "authors", "version", "license"} <= keys, keys


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def the_port_configures(folder):
    port = ROOT / "packaging/vcpkg/cairn"
    said = json.loads((port / "vcpkg.json").read_text())
    needed = {each if isinstance(each, str) else each["name"] for each in said["dependencies"]}
    assert needed == {"vcpkg-cmake", "vcpkg-cmake-config", "zlib"}, needed
    assert set(said["features"]) == {"libdeflate"}
    for features in ("", *said["features"]):
        script = folder / f"port-{features}.cmake"
        script.write_text(VCPKG.format(port=port, folder=script.with_suffix(""), features=features))
        done = subprocess.run(["cmake", "-P", str(script)], capture_output=True, text=True)
        # A feature may ask for a library that is not installed here, and for nothing else.
        is_missing = features and "libdeflate was not found" in done.stderr
        assert done.returncode == 0 or is_missing, done.stderr


def copied(recipe, pattern, source, target):
    for path in pathlib.Path(source).rglob("*"):
        name = str(path.relative_to(source))
        if path.is_file() and fnmatch.fnmatch(name, pattern):
            (pathlib.Path(target) / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, pathlib.Path(target) / name)


class Toolchain:
    made = None

    def __init__(self, recipe):
        self.cache_variables = {}
        Toolchain.made = self

    def generate(self):
        pass


def conan():
    """The modules that the recipe imports."""
    tools = types.SimpleNamespace(CMake=None, CMakeDeps=Toolchain, CMakeToolchain=Toolchain,
                                  cmake_layout=lambda recipe: None)
    files = types.SimpleNamespace(copy=copied)
    base = type("ConanFile", (), {"requires": lambda self, name: self.required.append(name)})
    return {"conan": types.SimpleNamespace(ConanFile=base), "conan.tools": types.SimpleNamespace(),
            "conan.tools.cmake": tools, "conan.tools.files": files}


def recipe(folder, **options):
    sys.modules.update(conan())
    path = ROOT / "packaging/conan/conanfile.py"
    scope = {"__name__": "conanfile"}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    made = scope["Cairn"]()
    made.recipe_folder, made.export_sources_folder = str(path.parent), str(folder)
    made.required, made.cpp_info = [], types.SimpleNamespace()
    made.options = types.SimpleNamespace(**{**made.default_options, **options})
    made.settings = types.SimpleNamespace(os="Linux")
    return made


def the_recipe_configures(folder):
    sources = folder / "conan"
    made = recipe(sources, shared=True)
    made.set_version()
    assert made.version == version()
    made.export_sources()
    made.requirements()
    assert [name.split("/")[0] for name in made.required] == ["zlib"]
    made.generate()
    variables = Toolchain.made.cache_variables
    said = run("cmake", "-S", str(sources), "-B", str(folder / "conan-build"),
               *(f"-D{name}={value}" for name, value in variables.items()))
    assert "not used by the project" not in said, said
    made.package_info()
    assert made.cpp_info.libs == ["cairn"] and made.cpp_info.defines == ["CAIRN_SHARED"]
    asked = recipe(sources, libdeflate=True)
    asked.requirements()
    asked.generate()
    assert len(asked.required) == 2 and Toolchain.made.cache_variables["CAIRN_LIBDEFLATE"] == "ON"


def main(folder):
    failed = 0
    for claim in (versions_agree, the_citation_says_what_it_must, the_port_configures,
                  the_recipe_configures):
        try:
            claim(pathlib.Path(folder).resolve())
            print(f"[       OK ] {claim.__name__}")
        except Exception as error:
            print(f"[  FAILED  ] {claim.__name__}: {error}")
            failed = 1
    return failed


sys.exit(main(sys.argv[1]))
