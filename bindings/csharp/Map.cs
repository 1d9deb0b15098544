using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace Cairn
{
    /// <summary>A step of a map, or an arc.</summary>
    public struct Step
    {
        public uint From;
        public uint To;
        public uint Cost;
    }

    /// <summary>A query of a scenario.</summary>
    public struct Query
    {
        public uint Bucket;
        public uint Start;
        public uint Goal;
        public double Length;
    }

    /// <summary>A grid or a graph. Nodes are numbers from 0; that of the cell in column x and row y
    /// of a grid is y * Width + x. Any number of threads may read a map while none changes
    /// it.</summary>
    public sealed unsafe class Map : IDisposable
    {
        internal readonly MapHandle Handle;
        public uint Width { get; }
        public uint Height { get; }
        public uint NodeCount { get; }

        internal Map(MapHandle handle)
        {
            Handle = handle;
            Width = Native.cairn_map_width(handle);
            Height = Native.cairn_map_height(handle);
            NodeCount = Native.cairn_map_node_count(handle);
        }

        /// <summary>Lets go of the map; what was made from it keeps it as long as needed.</summary>
        public void Dispose()
        {
            Handle.Dispose();
        }

        private delegate Status Maker(Native.MapOptions* options, out MapHandle map,
                                      Native.Error* error);

        private static Map Make(MapOptions options, Maker call, string file = null)
        {
            options = options ?? new MapOptions();
            Native.Error error = new Native.Error();
            Native.Alphabet alphabet;
            Native.Heights heights = new Native.Heights();
            var made = new Native.MapOptions { size = (UIntPtr)sizeof(Native.MapOptions),
                rule = options.Rule, charge = options.Charge };
            if (options.Metric.HasValue)
                made.metric = options.Metric.Value.Struct;
            if (options.Terrain != null)
            {
                byte[] text = Encoding.UTF8.GetBytes(options.Terrain + "\0");
                Native.cairn_alphabet_init(&alphabet);
                fixed (byte* at = text)
                    Check.Done(Native.cairn_alphabet_parse(at, (UIntPtr)(text.Length - 1),
                                                           &alphabet, &error), &error);
                made.alphabet = &alphabet;
            }
            ushort[] cells = options.Heights?.Cells ?? new ushort[1];
            fixed (ushort* levels = cells)
            {
                if (options.Heights != null)
                {
                    if ((ulong)options.Heights.Width * options.Heights.Height
                        != (ulong)cells.Length)
                        throw new ArgumentException("expected width * height heights");
                    heights = new Native.Heights { width = options.Heights.Width,
                        height = options.Heights.Height, cells = levels,
                        climb = options.Heights.Climb, descend = options.Heights.Descend };
                    made.heights = &heights;
                }
                Check.Done(call(&made, out MapHandle map, &error), &error, file);
                return new Map(map);
            }
        }

        /// <summary>A grid from a .map file, or a graph from a .gr file.</summary>
        public static Map Load(string path, MapOptions options = null)
        {
            byte[] name = Check.PathBytes(path);
            return Make(options, (Native.MapOptions* made, out MapHandle map,
                                  Native.Error* error) =>
            {
                fixed (byte* at = name)
                    return Native.cairn_map_load(at, made, out map, error);
            }, path);
        }

        /// <summary>The same from the text of a file.</summary>
        public static Map Parse(byte[] text, MapOptions options = null)
        {
            Check.NotNull(text, "text");
            return Make(options, (Native.MapOptions* made, out MapHandle map,
                                  Native.Error* error) =>
            {
                fixed (byte* at = text.Length > 0 ? text : new byte[1])
                    return Native.cairn_map_parse(at, (UIntPtr)text.Length, made, out map, error);
            });
        }

        /// <summary>A graph from a .gr file and the .co file with the places of its
        /// nodes.</summary>
        public static Map LoadRoads(string path, string places)
        {
            byte[] name = Check.PathBytes(path), beside = Check.PathBytes(places);
            return Make(null, (Native.MapOptions* made, out MapHandle map, Native.Error* error) =>
            {
                fixed (byte* at = name, aside = beside)
                    return Native.cairn_roads_load(at, aside, made, out map, error);
            }, path);
        }

        public static Map ParseRoads(byte[] text, byte[] places)
        {
            Check.NotNull(text, "text");
            Check.NotNull(places, "places");
            return Make(null, (Native.MapOptions* made, out MapHandle map, Native.Error* error) =>
            {
                fixed (byte* at = text.Length > 0 ? text : new byte[1],
                       aside = places.Length > 0 ? places : new byte[1])
                    return Native.cairn_roads_parse(at, (UIntPtr)text.Length, aside,
                                                    (UIntPtr)places.Length, made, out map, error);
            });
        }

        /// <summary>A grid from equally long rows of letters: '.' is open, '@' blocked.</summary>
        public static Map FromRows(string[] rows, MapOptions options = null)
        {
            string letters = string.Concat(Check.NotNull(rows, "rows"));
            int width = rows.Length > 0 ? Check.NotNull(rows[0], "rows").Length : 0;
            foreach (string row in rows)
                if (row == null || row.Length != width)
                    throw new ArgumentException("rows of different lengths", "rows");
            return FromLetters((uint)width, (uint)rows.Length, Encoding.ASCII.GetBytes(letters),
                               options);
        }

        /// <summary>A grid from width * height letters in row order.</summary>
        public static Map FromLetters(uint width, uint height, ReadOnlySpan<byte> letters,
                                      MapOptions options = null)
        {
            if ((ulong)width * height != (ulong)letters.Length)
                throw new ArgumentException("expected width * height letters", "letters");
            byte[] copy = letters.Length > 0 ? letters.ToArray() : new byte[1];
            return Make(options, (Native.MapOptions* made, out MapHandle map,
                                  Native.Error* error) =>
            {
                fixed (byte* at = copy)
                    return Native.cairn_map_from_letters(width, height, at, made, out map, error);
            });
        }

        /// <summary>A graph of directed arcs, with coordinates of its nodes or without.</summary>
        public static Map FromArcs(uint nodeCount, ReadOnlySpan<Step> arcs, int[] x = null,
                                   int[] y = null)
        {
            foreach (int[] places in new[] { x, y })
                if ((x != null || y != null) && (places == null || places.Length != nodeCount))
                    throw new ArgumentException("expected a place for every node");
            MapHandle map;
            fixed (Step* at = arcs)
            fixed (int* xs = x, ys = y)
            {
                Native.Error error = new Native.Error();
                Check.Done(Native.cairn_map_from_arcs(nodeCount, (Native.Arc*)at,
                                                      (UIntPtr)arcs.Length, xs, ys, null, out map,
                                                      &error), &error);
            }
            return new Map(map);
        }

        internal uint Node(long node) => Check.Index(node, NodeCount, "node");

        internal void Nodes(ReadOnlySpan<uint> nodes)
        {
            foreach (uint node in nodes)
                Node(node);
        }

        public uint OpenCount => Native.cairn_map_open_count(Handle);
        public uint ArcCount => Native.cairn_map_arc_count(Handle);
        public MapKind Kind => Native.cairn_map_kind_of(Handle);
        public Rule Rule => Native.cairn_map_rule(Handle);
        public uint Unit => Native.cairn_map_unit(Handle);
        public bool IsDirected => Native.cairn_map_is_directed(Handle) != 0;
        public ulong Hash => Native.cairn_map_hash(Handle);
        public ulong Version => Native.cairn_map_version(Handle);
        public ulong Memory => (ulong)Native.cairn_map_memory(Handle);

        public Metric Metric
        {
            get
            {
                Native.Metric metric = Native.cairn_map_metric(Handle);
                return new Metric(metric.straight, metric.diagonal);
            }
            set => Check.Done(Native.cairn_map_set_metric(Handle, value.Struct));
        }

        /// <summary>The node of a cell; Constants.NoNode outside the grid.</summary>
        public uint NodeAt(uint x, uint y) => Native.cairn_node_at(Handle, x, y);
        public uint NodeAtAxial(int q, int r) => Native.cairn_node_at_axial(Handle, q, r);

        public void Cell(uint node, out uint x, out uint y)
        {
            uint column, row;
            Native.cairn_node_xy(Handle, Node(node), &column, &row);
            x = column;
            y = row;
        }

        public bool Axial(uint node, out int q, out int r)
        {
            int along = 0, down = 0;
            bool found = Native.cairn_node_axial(Handle, Node(node), &along, &down) != 0;
            q = along;
            r = down;
            return found;
        }

        /// <summary>The coordinates of a node of a graph; false where there are none.</summary>
        public bool Place(uint node, out int x, out int y)
        {
            int across = 0, up = 0;
            bool found = Native.cairn_node_place(Handle, Node(node), &across, &up) != 0;
            x = across;
            y = up;
            return found;
        }

        public char Letter(uint node) => (char)Native.cairn_map_letter(Handle, Node(node));

        /// <summary>The letters of all cells in row order, as FromLetters takes them.</summary>
        public byte[] Letters()
        {
            var letters = new byte[NodeCount];
            fixed (byte* at = letters)
                Check.Done(Native.cairn_map_letters(Handle, at));
            return letters;
        }

        /// <summary>Writes the map as text: a .map file of a grid, a .gr file of a graph. Rules,
        /// costs of letters, heights and coordinates are not in it.</summary>
        public void Save(string path)
        {
            Native.Error none = new Native.Error();
            fixed (byte* at = Check.PathBytes(path))
                Check.Done(Native.cairn_map_save(Handle, at, null), &none, path);
        }
        public bool IsOpen(uint node) => Native.cairn_map_is_open(Handle, Node(node)) != 0;
        public bool Connected(uint a, uint b) =>
            Native.cairn_connected(Handle, Node(a), Node(b)) != 0;
        /// <summary>Whether the straight line between the centres of two cells is free.</summary>
        public bool Sight(uint a, uint b) => Native.cairn_sight(Handle, Node(a), Node(b)) != 0;

        /// <summary>What a path costs on the map as it is now, by its nodes or its corners; null
        /// where a step is no longer legal, and then the place in the list of the first node that
        /// is not reached.</summary>
        public uint? PathCost(ReadOnlySpan<uint> nodes, out int broken)
        {
            uint cost;
            UIntPtr first;
            Nodes(nodes);
            fixed (uint* at = nodes)
                Check.Done(Native.cairn_path_cost(Handle, at, (UIntPtr)nodes.Length, &cost,
                                                  &first));
            broken = (int)first;
            return broken < nodes.Length ? (uint?)null : cost;
        }

        /// <summary>Cells that straight lines at any angle join, along a path of this map, and the
        /// length of the lines.</summary>
        public uint[] Pull(Path path, out double length) => Pulled(path, out length,
            (given, room, count, all) => Native.cairn_path_pull(Handle, given, room, count, all));

        internal delegate Status PullCall(Native.Path* path, uint* room, UIntPtr* count,
                                          double* all);

        internal static uint[] Pulled(Path path, out double length, PullCall pull)
        {
            Native.Path struct_ = Check.NotNull(path, "path").Struct;
            var waypoints = new uint[path.Corners.Length];
            UIntPtr count;
            double all;
            fixed (uint* room = waypoints, nodes = path.Nodes, corners = path.Corners)
            {
                struct_.nodes = nodes;
                struct_.corners = corners;
                struct_.node_count = (UIntPtr)path.Nodes.Length;
                struct_.corner_count = (UIntPtr)path.Corners.Length;
                Check.Done(pull(&struct_, room, &count, &all));
            }
            length = all;
            Array.Resize(ref waypoints, (int)count);
            return waypoints;
        }

        public double Length(uint cost) => Native.cairn_length(Handle, cost);

        public Step[] Steps(uint node)
        {
            var steps = new Step[Native.cairn_steps(Handle, Node(node), null, 0)];
            fixed (Step* at = steps)
                Native.cairn_steps(Handle, node, (Native.Arc*)at, (uint)steps.Length);
            return steps;
        }

        public Step[] StepsTo(uint node)
        {
            var steps = new Step[Native.cairn_steps_to(Handle, Node(node), null, 0)];
            fixed (Step* at = steps)
                Native.cairn_steps_to(Handle, node, (Native.Arc*)at, (uint)steps.Length);
            return steps;
        }

        public Map Clone()
        {
            Check.Done(Native.cairn_map_clone(Handle, out MapHandle copy));
            return new Map(copy);
        }

        /// <summary>The map for units of size x size cells, which follows the edits of this one,
        /// and is kept as long as this one unless it is disposed of. It cannot be edited by itself;
        /// a clone of it can.</summary>
        public Map ForUnits(uint size, Anchor anchor = Anchor.TopLeft)
        {
            Check.Done(Native.cairn_map_for_units(Handle, size, anchor, out MapHandle units));
            Handle.AddFollower(units);
            return new Map(units);
        }

        /// <summary>The size of the units that the map is for; 1 for other maps.</summary>
        public uint UnitSize => Native.cairn_map_unit_size(Handle);

        /// <summary>The cells of the unit that stands at a node; none where it would reach beyond
        /// the map.</summary>
        public uint[] UnitCells(uint anchor)
        {
            var cells = new uint[Native.cairn_unit_cells(Handle, Node(anchor), null, 0)];
            fixed (uint* at = cells)
                Native.cairn_unit_cells(Handle, anchor, at, (uint)cells.Length);
            return cells;
        }

        /// <summary>The nodes at which a unit would share a cell with the one that stands at a node
        /// of another map of the same cells, for units of any size: what a search has to avoid for
        /// that unit.</summary>
        public uint[] UnitAnchors(Map others, uint at)
        {
            MapHandle other = Check.NotNull(others, "others").Handle;
            uint count = Native.cairn_unit_anchors(Handle, other, Node(at), null, 0);
            var anchors = new uint[count];
            fixed (uint* first = anchors)
                Native.cairn_unit_anchors(Handle, other, at, first, count);
            return anchors;
        }

        /// <summary>For every node the number of its component, Constants.NoComponent for a blocked
        /// cell; how many there are. Number 0 is the largest one; strongly connected ones differ
        /// on maps with one-way cells or arcs.</summary>
        public uint Components(Span<uint> numbers, Connection connection = Connection.Connected)
        {
            uint count = 0;
            Room(numbers);
            fixed (uint* at = numbers)
                Check.Done(Native.cairn_map_components(Handle, connection, at, &count));
            return count;
        }

        /// <summary>For every cell the size of the largest unit that can stand there.</summary>
        public void Clearance(Span<ushort> sizes, Anchor anchor = Anchor.TopLeft)
        {
            Room(sizes);
            fixed (ushort* at = sizes)
                Check.Done(Native.cairn_clearance(Handle, anchor, at));
        }

        /// <summary>The open cell nearest to a place, at most so many steps away and, where
        /// another node is given, connected with it; Constants.NoNode: none.</summary>
        public uint NearestOpen(uint node, uint steps, uint connectedWith = Constants.NoNode)
        {
            if (connectedWith != Constants.NoNode)
                Node(connectedWith);
            return Native.cairn_nearest_open(Handle, Node(node), steps, connectedWith);
        }

        /// <summary>All edits or, after an exception, none; its line is the number of the first
        /// edit that was refused.</summary>
        public void Change(params Edit[] edits)
        {
            WithStructs(edits, Make);
        }

        private void Make(Native.Edit* edits, UIntPtr count)
        {
            Native.Error error = new Native.Error();
            Status status = Native.cairn_map_edit(Handle, edits, count);
            if (status != Status.Ok)
                Native.cairn_map_check_edits(Handle, edits, count, &error);
            Check.Done(status, &error);
        }

        internal delegate void EditsUser(Native.Edit* edits, UIntPtr count);

        internal static void WithStructs(Edit[] edits, EditsUser use)
        {
            var pins = new List<GCHandle>();
            var structs = new Native.Edit[Check.NotNull(edits, "edits").Length];
            try
            {
                for (int i = 0; i < edits.Length; i++)
                {
                    Edit edit = edits[i];
                    structs[i] = new Native.Edit { kind = edit.Kind, x = edit.X, y = edit.Y,
                        width = edit.Width, height = edit.Height, letter = edit.Letter,
                        arc = new Native.Arc { from = edit.From, to = edit.To, cost = edit.Cost } };
                    if (edit.Data == null)
                        continue;
                    pins.Add(GCHandle.Alloc(edit.Data, GCHandleType.Pinned));
                    structs[i].data = (void*)pins[pins.Count - 1].AddrOfPinnedObject();
                }
                fixed (Native.Edit* at = structs)
                    use(at, (UIntPtr)structs.Length);
            }
            finally
            {
                foreach (GCHandle pin in pins)
                    pin.Free();
            }
        }

        /// <summary>Edits in the form of a file.</summary>
        public void Change(string text)
        {
            WithParsed(text, Make);
        }

        internal static void WithParsed(string text, EditsUser use)
        {
            byte[] bytes = Encoding.UTF8.GetBytes(Check.NotNull(text, "text") + "\0");
            Native.Error error;
            EditsHandle edits;
            fixed (byte* at = bytes)
                Check.Done(Native.cairn_edits_parse(at, (UIntPtr)(bytes.Length - 1), out edits,
                                                    &error), &error);
            using (edits)
                use(Native.cairn_edits_items(edits), Native.cairn_edits_count(edits));
        }

        /// <summary>Costs from the nearest of some nodes to every node.</summary>
        public void CostsFrom(ReadOnlySpan<uint> sources, Span<uint> costs)
        {
            Room(costs);
            Nodes(sources);
            fixed (uint* from = sources, to = costs)
                Check.Done(Native.cairn_costs_from(Handle, from, (UIntPtr)sources.Length, to));
        }

        /// <summary>Costs from every node to the nearest of some nodes.</summary>
        public void CostsTo(ReadOnlySpan<uint> targets, Span<uint> costs)
        {
            Room(costs);
            Nodes(targets);
            fixed (uint* from = targets, to = costs)
                Check.Done(Native.cairn_costs_to(Handle, from, (UIntPtr)targets.Length, to));
        }

        /// <summary>The costs from every source to every target, a row for each source.</summary>
        public void Distances(ReadOnlySpan<uint> sources, ReadOnlySpan<uint> targets,
                              Span<uint> costs, uint threadCount = 0)
        {
            Distances(TableHandle.None, sources, targets, costs, threadCount);
        }

        internal void Distances(TableHandle table, ReadOnlySpan<uint> sources,
                                ReadOnlySpan<uint> targets, Span<uint> costs, uint threadCount)
        {
            if ((ulong)costs.Length != (ulong)sources.Length * (ulong)targets.Length)
                throw new ArgumentException("expected a cost for each source and target", "costs");
            Nodes(sources);
            Nodes(targets);
            fixed (uint* from = sources, to = targets, at = costs)
                Check.Done(Native.cairn_distances(Handle, table, from, (UIntPtr)sources.Length, to,
                                                  (UIntPtr)targets.Length, threadCount, at));
        }

        internal void Room<T>(Span<T> values)
        {
            if (values.Length != NodeCount)
                throw new ArgumentException("expected an entry for every node");
        }

        /// <summary>Where a flow field leads from a node; Constants.NoNode: nowhere.</summary>
        public uint FlowNext(ReadOnlySpan<byte> flow, uint node)
        {
            if (flow.Length != NodeCount)
                throw new ArgumentException("expected an entry for every node", "flow");
            fixed (byte* at = flow)
                return Native.cairn_flow_next(Handle, at, Node(node));
        }

        public bool IsAdmissible(Heuristic heuristic) =>
            Native.cairn_bound_is_admissible(Handle, heuristic) != 0;
        public bool IsConsistent(Heuristic heuristic) =>
            Native.cairn_bound_is_consistent(Handle, heuristic) != 0;

        public Table Build(BuildOptions options = null)
        {
            options = options ?? new BuildOptions();
            uint[] listed = options.Listed ?? new uint[0];
            Nodes(listed);
            TableHandle table;
            fixed (uint* nodes = listed)
            {
                var made = new Native.BuildOptions { size = (UIntPtr)sizeof(Native.BuildOptions),
                    landmark_count = options.LandmarkCount, thread_count = options.ThreadCount,
                    seed = options.Seed, placement = options.Placement, metric = options.Metric,
                    candidate_count = options.CandidateCount, listed = nodes,
                    listed_count = (UIntPtr)listed.Length, resident = options.Resident };
                if (options.StepMetric.HasValue)
                    made.step_metric = options.StepMetric.Value.Struct;
                Check.Done(Native.cairn_table_build(Handle, &made, out table));
            }
            return new Table(this, table);
        }

        public Search Search(SearchOptions options = null) => new Search(this, null, options);
        public Bound Bound(uint goal, Heuristic heuristic = Heuristic.Best) =>
            new Bound(this, null, goal, heuristic);
        public Flood Flood() => new Flood(this);

        private delegate Status Reader(out ScenarioHandle scenario, Native.Error* error);

        private static Query[] Queries(Reader call, string file = null)
        {
            Native.Error error;
            Check.Done(call(out ScenarioHandle scenario, &error), &error, file);
            using (scenario)
            {
                var queries = new Query[(int)Native.cairn_scenario_count(scenario)];
                Native.Query* from = Native.cairn_scenario_queries(scenario);
                for (int i = 0; i < queries.Length; i++)
                    queries[i] = new Query { Bucket = from[i].bucket, Start = from[i].start,
                        Goal = from[i].goal, Length = from[i].length };
                return queries;
            }
        }

        /// <summary>The queries of a .scen file, or of a .p2p file for a graph.</summary>
        public Query[] LoadScenario(string path)
        {
            byte[] name = Check.PathBytes(path);
            return Queries((out ScenarioHandle scenario, Native.Error* error) =>
            {
                fixed (byte* at = name)
                    return Native.cairn_scenario_load(at, Handle, out scenario, error);
            }, path);
        }

        public Query[] ParseScenario(byte[] text)
        {
            Check.NotNull(text, "text");
            return Queries((out ScenarioHandle scenario, Native.Error* error) =>
            {
                fixed (byte* at = text.Length > 0 ? text : new byte[1])
                    return Native.cairn_scenario_parse(at, (UIntPtr)text.Length, Handle,
                                                       out scenario, error);
            });
        }
    }
}
