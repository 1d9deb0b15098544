"""Arrays of numpy go in and come out. Nothing is tested where there is no numpy."""
import importlib.util

from support import cairn, open_grid, raises

if importlib.util.find_spec("numpy"):
    import numpy

    def test_a_grid_is_made_from_an_array():
        cells = numpy.ones((3, 4), bool)
        cells[1, 2] = False
        grid = cairn.Map.from_array(cells)
        assert (grid.width, grid.height, grid.open_count) == (4, 3, 11)
        assert not grid.is_open((2, 1))
        letters = numpy.where(cells, 46, 64).astype(numpy.uint8)
        assert cairn.Map.from_array(letters).hash == grid.hash
        assert cairn.Map.from_array(cells.T[::-1]).is_open((1, 1)) == cells.T[::-1][1, 1]
        raises(ValueError, cairn.Map.from_array, cells.astype(numpy.int32))
        letters.setflags(write=False)
        assert cairn.Map.from_array(letters).hash == grid.hash

    def test_a_graph_is_made_from_an_array():
        arcs = numpy.array([[0, 1, 5], [1, 2, 7]], numpy.uint32)
        places = numpy.array([[0, 0], [3, 0], [6, 0]], numpy.int32)
        graph = cairn.Map.from_arcs(3, arcs, places)
        assert graph.search().run(0, numpy.int64(2)).cost == 12 and graph.place(2) == (6, 0)
        assert cairn.Map.from_arcs(3, arcs.astype(numpy.int64)).hash == graph.hash
        raises(OverflowError, cairn.Map.from_arcs, 3, arcs.astype(numpy.int64) << 32)

    def test_costs_and_paths_are_arrays_without_a_copy():
        grid = open_grid(5, 4)
        costs = grid.costs_from(0)
        seen = numpy.asarray(costs)
        assert seen.dtype == numpy.uint32 and seen[1] == 2378
        costs[1] = 7
        assert seen[1] == 7
        path = grid.search().run(0, 19)
        assert numpy.asarray(path.node_array).tolist() == path.nodes

    def test_nodes_and_heights_and_bits_are_arrays():
        grid = open_grid(5, 4)
        bound = grid.bound(0)
        for kind in (numpy.uint32, numpy.int64):
            assert bound.of(numpy.arange(20, dtype=kind)) == bound.of_all()
        heights = numpy.arange(20, dtype=numpy.uint16).reshape(4, 5)
        hill = cairn.Map.from_rows(["....."] * 4, heights=cairn.Heights(5, 4, heights, 1000, 0))
        assert hill.heights.cells.tolist() == list(range(20))
        bits = numpy.packbits(numpy.array([1, 0, 1, 1, 0]), bitorder="little")
        grid.edit(cairn.patch_bits(0, 0, 5, 1, bits))
        assert [grid.is_open(node) for node in range(5)] == [True, False, True, True, False]
