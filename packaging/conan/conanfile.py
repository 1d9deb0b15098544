"""The recipe for Conan 2: it builds the tree that it lies in.

    conan create packaging/conan
"""
import pathlib
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Cairn(ConanFile):
    name = "cairn"
    license = "MIT"
    description = "Exact landmark tables for pathfinding on maps"
    topics = ("pathfinding", "a-star", "landmarks", "games")
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False], "fPIC": [True, False], "libdeflate": [True, False]}
    default_options = {"shared": False, "fPIC": True, "libdeflate": False}
    languages = "C"
    implements = ["auto_shared_fpic"]

    @property
    def _tree(self):
        return pathlib.Path(self.recipe_folder).resolve().parents[1]

    def set_version(self):
        text = (self._tree / "CMakeLists.txt").read_text()
        self.version = re.search(r"project\(cairn VERSION ([0-9.]+)", text)[1]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "lib/*"):
            copy(self, pattern, self._tree, self.export_sources_folder)

    def requirements(self):
        self.requires("zlib/[>=1.2.11 <2]")
        if self.options.libdeflate:
            self.requires("libdeflate/[>=1.14 <2]")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["CAIRN_BUILD_TOOLS"] = False
        toolchain.cache_variables["CAIRN_LIBDEFLATE"] = "ON" if self.options.libdeflate else "OFF"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, pathlib.Path(self.package_folder) / "licenses")
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["cairn"]
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread"]
        if self.options.shared:
            self.cpp_info.defines = ["CAIRN_SHARED"]
