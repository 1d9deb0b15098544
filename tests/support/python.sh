# Sourced by tests of Python's packages.

# The first Python that can build packages without a network, of those that have numpy if any does: tests
# of its arrays run there.
python_for_packages() {
    for modules in "ensurepip, setuptools, venv, wheel, numpy" "ensurepip, setuptools, venv, wheel"; do
        for python in python3 /usr/bin/python3; do
            "$python" -c "import $modules" 2>/dev/null || continue
            echo "$python"
            return
        done
    done
}
