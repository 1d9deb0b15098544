"""The Python package: pip calls this. What it is made of is in pyproject.toml; here the shared library
is built with CMake and put beside the modules."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # before setuptools 70.1
    try:
        from wheel.bdist_wheel import bdist_wheel
    except ImportError:
        raise SystemExit("cairn: setuptools 70.1 or the package wheel is needed: "
                         "pip install wheel") from None

ROOT = pathlib.Path(__file__).resolve().parent
LIBRARIES = ("libcairn.so", "libcairn.dylib", "cairn.dll")


def version():
    """That of the project, which CMake knows."""
    return re.search(r"project\(cairn VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def replace(source, target):
    """A copy in place of another, which a program may have loaded."""
    fresh = target.with_suffix(".new")
    shutil.copy(source, fresh)
    fresh.replace(target)


class BuildWithLibrary(build_py):
    """The modules, and libcairn beside them: of an editable installation beside the sources, which
    it uses where they are. Only zlib is asked for, so that a wheel serves other machines as well;
    the environment variable CMAKE_ARGS may ask for more."""

    def run(self):
        super().run()
        build = pathlib.Path(self.get_finalized_command("build").build_temp).resolve() / "cmake"
        prefix = build / "installed"
        for command in (
                ["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release",
                 "-DBUILD_SHARED_LIBS=ON", "-DCAIRN_BUILD_TOOLS=OFF", "-DCAIRN_LIBDEFLATE=OFF",
                 "-DCMAKE_INSTALL_LIBDIR=lib", *shlex.split(os.environ.get("CMAKE_ARGS", ""))],
                ["cmake", "--build", build, "--config", "Release", "--parallel"],
                ["cmake", "--install", build, "--config", "Release", "--prefix", prefix, "--strip"]):
            subprocess.run([str(word) for word in command], check=True)
        package = ROOT / "bindings/python/cairn" if getattr(self, "editable_mode", False) else \
            pathlib.Path(self.build_lib) / "cairn"
        for library in [*prefix.glob("lib/*"), *prefix.glob("bin/*")]:
            if library.name in LIBRARIES:
                replace(library.resolve(), package / library.name)


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


class AnyPython(bdist_wheel):
    """A wheel for this system and for every version of Python 3: the library knows nothing of it."""

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


setup(version=version(), distclass=WithLibrary,
      cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": AnyPython})
