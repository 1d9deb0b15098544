"""Arrays of numpy go in and come out. Nothing is tested where there is no numpy."""
import importlib.util
import warnings

from support import cairn, lines_of, most_memory, open_grid, raises

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
        for other in (numpy.int32, numpy.int64, numpy.float64):
            refused = raises(ValueError, cairn.Map.from_array, cells.astype(other))
            assert "astype(bool)" in str(refused)
        for call in (cairn.Map.from_array, lambda zeros: cairn.patch_array(0, 0, zeros)):
            assert "astype(bool)" in str(raises(ValueError, call, cells.astype(numpy.uint8)))
            assert "numpy.array(cells, bool)" in str(raises(TypeError, call, cells.tolist()))
        letters.setflags(write=False)
        assert cairn.Map.from_array(letters).hash == grid.hash

    def test_numbers_for_no_path_are_masked_as_the_document_says():
        rows = ["....@.", "..S.@.", "....@."]
        for options in ({}, {"charge": cairn.Charge.AVERAGE}, {"metric": (10, 14)}):
            grid = cairn.Map.from_rows(rows, terrain="S=3", **options)
            paths = grid.search_all([(0, 3), (0, 4), (0, 5), (0, 14)])
            grid_names = {"numpy": numpy, "cairn": cairn, "grid": grid, "paths": paths}
            exec(lines_of("docs/PYTHON.md", "numpy.nan").replace("(3, 3)", "0"), grid_names)
            lengths = [grid.length(cost) for cost in grid.costs_from(0)]
            steps = numpy.nan_to_num(grid_names["steps"], nan=numpy.inf).ravel()
            assert numpy.allclose(steps, lengths) and numpy.isinf(lengths[5::6]).all()
            assert grid_names["mean"] == (paths[0].cost + paths[3].cost) / 2
            assert [bool(path) for path in paths] == [True, False, False, True]
            assert paths[2].length == 0 and paths.lengths[1] == 0 and not paths[1].nodes

    def test_many_pairs_are_compared_by_their_components():
        grid = cairn.Map.from_rows(["..@.", "..@@"])
        nodes = numpy.arange(8)
        names = {"numpy": numpy, "cairn": cairn, "grid": grid,
                 "starts": nodes.repeat(8), "goals": numpy.tile(nodes, 8)}
        exec(lines_of("docs/PYTHON.md", "grid.components()"), names)
        told = grid.are_connected(names["starts"], names["goals"])
        assert names["connected"].tolist() == told.tolist()

    def test_a_graph_is_made_from_an_array():
        arcs = numpy.array([[0, 1, 5], [1, 2, 7]], numpy.uint32)
        places = numpy.array([[0, 0], [3, 0], [6, 0]], numpy.int32)
        graph = cairn.Map.from_arcs(3, arcs, places)
        assert graph.search().run(0, numpy.int64(2)).cost == 12 and graph.place(2) == (6, 0)
        assert cairn.Map.from_arcs(3, arcs.astype(numpy.int64)).hash == graph.hash
        raises(OverflowError, cairn.Map.from_arcs, 3, arcs.astype(numpy.int64) << 32)

    def test_arrays_of_numpy_go_in_without_a_copy():
        count = 30000
        arcs = numpy.empty((count, 3), numpy.uint32)
        arcs[:, 0] = numpy.arange(count)
        arcs[:, 1], arcs[:, 2] = (arcs[:, 0] + 1) % count, arcs[:, 0] % 7 + 1
        places = numpy.array([arcs[:, 0], arcs[:, 0] * 2], numpy.int32)
        read_only, structs = arcs.copy(), numpy.zeros(count, cairn.ArcStruct)
        read_only.setflags(write=False)
        structs["from"], structs["to"], structs["cost"] = arcs.T
        graph = cairn.Map.from_arcs(count, arcs.tolist())
        for given in (arcs, arcs.astype(numpy.int32), read_only, structs):
            same, most = most_memory(cairn.Map.from_arcs, count, given, cairn.Columns(*places))
            assert same.hash == graph.hash and same.place(5) == (5, 10)
            assert most < 4 * count // 10
        for given in (arcs[::-1], numpy.asfortranarray(arcs), structs[::-1], arcs.astype(">u4")):
            assert cairn.Map.from_arcs(count, given).hash == graph.hash
        nodes = numpy.arange(count, dtype=numpy.int32)
        bound, search = graph.bound(0), graph.search()
        bounds, most = most_memory(bound.of, nodes)
        assert bounds == bound.of_all() and most < 1.2 * 4 * count
        for call in (search.avoid, lambda some: search.run_to_any(3, some)):
            _, most = most_memory(call, nodes[1:])
            assert most < 4 * count // 10
            raises(IndexError, call, nodes + 1)
        queries = numpy.zeros(500, cairn.QueryStruct)
        queries["start"], queries["goal"] = nodes[:500], nodes[500:1000]
        pairs = numpy.array([queries["start"], queries["goal"]]).T.copy()
        expected = [path.cost for path in graph.search_all(pairs.tolist())]
        for given in (queries, queries[::-1][::-1], queries.copy()[::1], pairs, pairs.astype("i8")):
            assert [path.cost for path in graph.search_all(given)] == expected
        raises(ValueError, graph.search_all, queries[["start", "goal"]].copy())

    def test_queries_of_a_scenario_are_an_array_with_columns():
        grid = open_grid(8, 8)
        queries = grid.parse_scenario_array("version 1\n" + "".join(
            f"{x // 4} a.map 8 8 0 0 {x} 0 {x}\n" for x in range(8)))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            seen = numpy.asarray(queries)
        assert numpy.shares_memory(seen, numpy.asarray(queries))
        assert seen["goal"].tolist() == seen["length"].tolist() == list(range(8))
        for some in (seen, seen[::3], seen[seen["bucket"] == 1], seen[:0]):
            assert numpy.asarray(grid.search_all(some).lengths).tolist() == some["length"].tolist()
        own = numpy.dtype({"names": ["bucket", "start", "goal", "length"],
                           "formats": ["u4", "u4", "u4", "f8"], "offsets": [0, 4, 8, 16]})
        assert grid.search_all(seen.view(own)).costs == grid.search_all(queries).costs

    def test_costs_and_paths_are_arrays_without_a_copy():
        grid = open_grid(5, 4)
        costs = grid.costs_from(0)
        seen = numpy.asarray(costs)
        assert seen.dtype == numpy.uint32 and seen[1] == 2378
        costs[1] = 7
        assert seen[1] == 7
        path = grid.search().run(0, 19)
        assert numpy.asarray(path.node_array).tolist() == path.nodes
        for found in (path, *grid.search_all([(0, 19), (3, 7)])):
            for read in (lambda: found.node_array, lambda: found.corner_array):
                assert numpy.shares_memory(numpy.asarray(read()), numpy.asarray(read()))
        into = numpy.zeros(20, numpy.uint32)
        assert grid.flood().costs_from(0, into=into) is into and into[19] == grid.costs_from(0)[19]
        nodes = numpy.asarray(path.node_array)
        assert grid.bound(0).of(nodes).tolist() == [grid.bound(0)(node) for node in path.nodes]

    def test_columns_masks_and_cells_are_arrays():
        cells = numpy.random.default_rng(1).random((40, 50)) < .7
        grid = cairn.Map.from_array(cells)
        mask = numpy.asarray(grid.open_mask())
        assert mask.dtype == bool and (mask == cells).all()
        assert (numpy.frombuffer(grid.letters(), "u1").reshape(40, 50) == ord(".")).tolist() == \
            cells.tolist()
        nodes = numpy.flatnonzero(cells)
        assert numpy.asarray(grid.are_open(nodes)).all() and grid.costs_from(nodes)[nodes[3]] == 0
        paths = grid.search_all(numpy.stack([nodes, nodes[::-1]], 1))
        costs = numpy.asarray(paths.costs)
        assert costs.tolist() == [path.cost for path in paths] and costs.dtype == numpy.uint32
        assert numpy.asarray(paths.lengths).dtype == numpy.float64
        other = cairn.Map.from_array(numpy.ones((40, 50), bool))
        y, x = numpy.nonzero(~cells)
        other.edit(cairn.block_all(numpy.stack([x, y], 1)))
        assert other.hash == grid.hash
        other.edit(cairn.patch_array(0, 0, numpy.ones((40, 50), bool)))
        other.edit(cairn.block_all(numpy.flatnonzero(~cells), width=50))
        assert other.hash == grid.hash
        assert grid.costs_from(numpy.stack([x, y], 1)[:0]) == grid.costs_from([])
        raises(TypeError, grid.are_open, cells.ravel())
        raises(TypeError, grid.search().run, 0, numpy.array([3, 4]))
        with_steps = numpy.asarray(grid.build(1).row(0))
        assert (with_steps[~cells.ravel()] == cairn.UNREACHABLE).all()

    def test_nodes_and_heights_and_bits_are_arrays():
        grid = open_grid(5, 4)
        bound = grid.bound(0)
        for kind in (numpy.uint32, numpy.int64):
            assert bound.of(numpy.arange(20, dtype=kind)) == bound.of_all()
        heights = numpy.arange(20, dtype=numpy.uint16).reshape(4, 5)
        hill = cairn.Map.from_rows(["....."] * 4, heights=cairn.Heights(5, 4, heights, 1000, 0))
        assert hill.heights.cells.tolist() == list(range(20))
        first, second = (numpy.asarray(hill.heights.cells) for _ in range(2))
        assert numpy.shares_memory(first, second) and not first.flags.writeable
        bits = numpy.packbits(numpy.array([1, 0, 1, 1, 0]), bitorder="little")
        grid.edit(cairn.patch_bits(0, 0, 5, 1, bits))
        assert [grid.is_open(node) for node in range(5)] == [True, False, True, True, False]
