using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace Cairn
{
    /// <summary>What the library refused. <see cref="Line"/> (from 1) and <see cref="Offset"/> (in
    /// bytes) are where in a text or a file; 0 where that means nothing.</summary>
    public class CairnException : Exception
    {
        public Status Status { get; }
        public ulong Line { get; }
        public ulong Offset { get; }

        internal CairnException(string message, Status status, ulong line = 0, ulong offset = 0)
            : base(message)
        {
            Status = status;
            Line = line;
            Offset = offset;
        }
    }

    /// <summary>Constants of the library.</summary>
    public static class Constants
    {
        /// <summary>No finite cost: there is no path.</summary>
        public const uint Unreachable = Native.CAIRN_UNREACHABLE;

        /// <summary>No node.</summary>
        public const uint NoNode = Native.CAIRN_NO_NODE;

        /// <summary>The version of the library that is linked.</summary>
        public static unsafe string Version => Check.Text(Native.cairn_version());
    }

    internal static unsafe class Check
    {
        internal static string Text(byte* text)
        {
            int length = 0;
            while (text[length] != 0)
                length++;
            return Encoding.UTF8.GetString(text, length);
        }

        /// <summary>Whether everything is done; false where work is left.</summary>
        internal static bool Done(Status status)
        {
            if (status != Status.Ok && status != Status.More)
                throw new CairnException(Text(Native.cairn_status_text(status)), status);
            return status == Status.Ok;
        }

        /// <summary>`where`: the file that something may be wrong with.</summary>
        internal static void Done(Status status, Native.Error* error, string where = null)
        {
            if (status == Status.Ok)
                return;
            string message = Text(Native.cairn_status_text(status));
            if (error->expected != null)
                message += ": expected " + Text(error->expected);
            if (error->expected != null && error->found[0] != 0)
                message += ", found " + Text(error->found);
            if (error->line > 0)
                message = "line " + error->line + ": " + message;
            if (where != null)
                message = where + ": " + message;
            throw new CairnException(message, status, error->line, error->offset);
        }

        internal static uint Index(long value, long count, string name)
        {
            if (value < 0 || value >= count)
                throw new ArgumentOutOfRangeException(name);
            return (uint)value;
        }

        internal static T NotNull<T>(T value, string name) where T : class
        {
            return value ?? throw new ArgumentNullException(name);
        }

        /// <summary>A path as the library takes it, ended by a zero byte.</summary>
        internal static byte[] PathBytes(string path)
        {
            if (NotNull(path, "path").IndexOf('\0') >= 0)
                throw new ArgumentException("a path has no zero character", "path");
            return Encoding.UTF8.GetBytes(path + "\0");
        }

        internal static bool IsDefined<T>(T value) where T : struct
        {
            return Enum.IsDefined(typeof(T), value);
        }
    }

    /// <summary>What a straight and a diagonal step cost.</summary>
    public struct Metric
    {
        public uint Straight;
        public uint Diagonal;

        public Metric(uint straight, uint diagonal)
        {
            Straight = straight;
            Diagonal = diagonal;
        }

        internal Native.Metric Struct => new Native.Metric { straight = Straight, diagonal = Diagonal };
    }

    /// <summary>Heights of the cells of a grid, in row order; a step up costs Climb thousandths of a
    /// straight step more for each unit, a step down Descend.</summary>
    public sealed class Heights
    {
        public uint Width;
        public uint Height;
        public ushort[] Cells;
        public uint Climb;
        public uint Descend;
    }

    /// <summary>How a grid is read.</summary>
    public sealed class MapOptions
    {
        public Rule Rule;
        public Charge Charge;
        /// <summary>Null: 2378/3363.</summary>
        public Metric? Metric;
        /// <summary>What letters cost: "S=3,W=blocked,one-way". Null: as in Moving AI's maps.</summary>
        public string Terrain;
        public Heights Heights;
    }

    /// <summary>How a table is built. All zero: 16 rows, farthest-first on grids.</summary>
    public sealed class BuildOptions
    {
        public uint LandmarkCount;
        public uint ThreadCount;
        public ulong Seed;
        public Placement Placement;
        public MetricChoice Metric;
        public uint CandidateCount;
        public uint[] Listed;
        public Metric? FlatMetric;
        public Resident Resident;
    }

    /// <summary>How a search goes about it. All zero: as fast as it can.</summary>
    public sealed class SearchOptions
    {
        public Space Space;
        public Form Form;
        public Plain Plain;
        /// <summary>In thousandths, from 1000; 0: 1000.</summary>
        public uint Weight;
        public Ties Ties;
        public bool Nearest;
        public ulong ExpansionLimit;

        internal static unsafe Native.SearchOptions Struct(SearchOptions options)
        {
            options = options ?? new SearchOptions();
            return new Native.SearchOptions
            {
                size = (UIntPtr)sizeof(Native.SearchOptions),
                space = options.Space,
                form = options.Form,
                plain = options.Plain,
                weight = options.Weight,
                ties = options.Ties,
                nearest = (byte)(options.Nearest ? 1 : 0),
                expansion_limit = options.ExpansionLimit,
            };
        }
    }

    /// <summary>A change of cells or of an arc.</summary>
    public struct Edit
    {
        internal EditKind Kind;
        internal uint X, Y, Width, Height, From, To, Cost;
        internal byte Letter;
        internal byte[] Data;

        public static Edit Block(uint x, uint y) => Rectangle(x, y, 1, 1, '@');
        public static Edit Open(uint x, uint y) => Rectangle(x, y, 1, 1, '.');
        public static Edit Terrain(uint x, uint y, char letter) => Rectangle(x, y, 1, 1, letter);

        public static Edit Rectangle(uint x, uint y, uint width, uint height, char letter)
        {
            return new Edit { X = x, Y = y, Width = width, Height = height,
                Letter = letter < 128 ? (byte)letter : (byte)0 };
        }

        /// <summary>New letters of a rectangle in row order.</summary>
        public static Edit Letters(uint x, uint y, uint width, uint height, byte[] letters)
        {
            return WithData(EditKind.Letters, x, y, width, height, letters, (ulong)width * height);
        }

        /// <summary>Bit i of the bytes, lowest first, is whether cell i of the rectangle is open.</summary>
        public static Edit Bits(uint x, uint y, uint width, uint height, byte[] bits)
        {
            return WithData(EditKind.Bits, x, y, width, height, bits, ((ulong)width * height + 7) / 8);
        }

        /// <summary>The cost of an arc of a graph.</summary>
        public static Edit ArcCost(uint from, uint to, uint cost)
        {
            return new Edit { Kind = EditKind.Arc, From = from, To = to, Cost = cost };
        }

        private static Edit WithData(EditKind kind, uint x, uint y, uint width, uint height,
                                     byte[] data, ulong needed)
        {
            if ((ulong)Check.NotNull(data, "data").Length != needed)
                throw new ArgumentException("expected " + needed + " bytes", "data");
            return new Edit { Kind = kind, X = x, Y = y, Width = width, Height = height, Data = data };
        }
    }

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

    /// <summary>What Verify found wrong.</summary>
    public struct Fault
    {
        public uint Row;
        public uint Node;
        public uint Stored;
        public uint Possible;
    }

    /// <summary>A grid or a graph. Nodes are numbers from 0; that of the cell in column x and row y
    /// of a grid is y * Width + x. Any number of threads may read a map while none changes it.</summary>
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

        private delegate Status Maker(Native.MapOptions* options, out MapHandle map, Native.Error* error);

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
                    Check.Done(Native.cairn_alphabet_parse(at, (UIntPtr)(text.Length - 1), &alphabet,
                                                           &error), &error);
                made.alphabet = &alphabet;
            }
            ushort[] cells = options.Heights?.Cells ?? new ushort[1];
            fixed (ushort* levels = cells)
            {
                if (options.Heights != null)
                {
                    if ((ulong)options.Heights.Width * options.Heights.Height != (ulong)cells.Length)
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
            return Make(options, (Native.MapOptions* made, out MapHandle map, Native.Error* error) =>
            {
                fixed (byte* at = name)
                    return Native.cairn_map_load(at, made, out map, error);
            }, path);
        }

        /// <summary>The same from the text of a file.</summary>
        public static Map Parse(byte[] text, MapOptions options = null)
        {
            Check.NotNull(text, "text");
            return Make(options, (Native.MapOptions* made, out MapHandle map, Native.Error* error) =>
            {
                fixed (byte* at = text.Length > 0 ? text : new byte[1])
                    return Native.cairn_map_parse(at, (UIntPtr)text.Length, made, out map, error);
            });
        }

        /// <summary>A graph from a .gr file and the .co file with the places of its nodes.</summary>
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
            return FromLetters((uint)width, (uint)rows.Length, Encoding.ASCII.GetBytes(letters), options);
        }

        /// <summary>A grid from width * height letters in row order.</summary>
        public static Map FromLetters(uint width, uint height, ReadOnlySpan<byte> letters,
                                      MapOptions options = null)
        {
            if ((ulong)width * height != (ulong)letters.Length)
                throw new ArgumentException("expected width * height letters", "letters");
            byte[] copy = letters.Length > 0 ? letters.ToArray() : new byte[1];
            return Make(options, (Native.MapOptions* made, out MapHandle map, Native.Error* error) =>
            {
                fixed (byte* at = copy)
                    return Native.cairn_map_from_letters(width, height, at, made, out map, error);
            });
        }

        /// <summary>A graph of directed arcs, with coordinates of its nodes or without.</summary>
        public static Map FromArcs(uint nodeCount, ReadOnlySpan<Step> arcs, int[] x = null, int[] y = null)
        {
            foreach (int[] places in new[] { x, y })
                if ((x != null || y != null) && (places == null || places.Length != nodeCount))
                    throw new ArgumentException("expected a place for every node");
            MapHandle map;
            fixed (Step* at = arcs)
            fixed (int* xs = x, ys = y)
                Check.Done(Native.cairn_map_from_arcs(nodeCount, (Native.Arc*)at, (UIntPtr)arcs.Length, xs, ys,
                                                      null, out map));
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

        /// <summary>Writes the map as text: a .map file of a grid, a .gr file of a graph. Rules, costs of
        /// letters, heights and coordinates are not in it.</summary>
        public void Save(string path)
        {
            Native.Error none = new Native.Error();
            fixed (byte* at = Check.PathBytes(path))
                Check.Done(Native.cairn_map_save(Handle, at, null), &none, path);
        }
        public bool IsOpen(uint node) => Native.cairn_map_is_open(Handle, Node(node)) != 0;
        public bool Connected(uint a, uint b) => Native.cairn_connected(Handle, Node(a), Node(b)) != 0;
        /// <summary>Whether the straight line between the centres of two cells is free.</summary>
        public bool Sight(uint a, uint b) => Native.cairn_sight(Handle, Node(a), Node(b)) != 0;

        /// <summary>Cells that straight lines at any angle join, along a path of this map, and the length
        /// of the lines.</summary>
        public uint[] Pull(Path path, out double length) => Pulled(path, out length,
            (given, room, count, all) => Native.cairn_path_pull(Handle, given, room, count, all));

        internal delegate Status PullCall(Native.Path* path, uint* room, UIntPtr* count, double* all);

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

        /// <summary>The map for units of size x size cells, which follows the edits of this one, and
        /// is kept as long as this one unless it is disposed of. It cannot be edited by itself; a
        /// clone of it can.</summary>
        public Map ForUnits(uint size, Anchor anchor = Anchor.TopLeft)
        {
            Check.Done(Native.cairn_map_for_units(Handle, size, anchor, out MapHandle units));
            Handle.AddFollower(units);
            return new Map(units);
        }

        /// <summary>The size of the units that the map is for; 1 for other maps.</summary>
        public uint UnitSize => Native.cairn_map_unit_size(Handle);

        /// <summary>The cells of the unit that stands at a node; none where it would reach beyond the
        /// map.</summary>
        public uint[] UnitCells(uint anchor)
        {
            var cells = new uint[Native.cairn_unit_cells(Handle, Node(anchor), null, 0)];
            fixed (uint* at = cells)
                Native.cairn_unit_cells(Handle, anchor, at, (uint)cells.Length);
            return cells;
        }

        /// <summary>The nodes at which a unit would share a cell with the one that stands at a node of
        /// another map of the same cells, for units of any size: what a search has to avoid for that
        /// unit.</summary>
        public uint[] UnitAnchors(Map others, uint at)
        {
            MapHandle other = Check.NotNull(others, "others").Handle;
            uint count = Native.cairn_unit_anchors(Handle, other, Node(at), null, 0);
            var anchors = new uint[count];
            fixed (uint* first = anchors)
                Native.cairn_unit_anchors(Handle, other, at, first, count);
            return anchors;
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

        /// <summary>All edits or, after an exception, none; its line is the number of the first edit
        /// that was refused.</summary>
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
            byte[] bytes = Encoding.UTF8.GetBytes(Check.NotNull(text, "text") + "\0");
            Native.Error error;
            EditsHandle edits;
            fixed (byte* at = bytes)
                Check.Done(Native.cairn_edits_parse(at, (UIntPtr)(bytes.Length - 1), out edits, &error),
                           &error);
            using (edits)
                Make(Native.cairn_edits_items(edits), Native.cairn_edits_count(edits));
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
        public void Distances(ReadOnlySpan<uint> sources, ReadOnlySpan<uint> targets, Span<uint> costs,
                              uint threadCount = 0)
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
                Check.Done(Native.cairn_distances(Handle, table, threadCount, from,
                                                  (UIntPtr)sources.Length, to,
                                                  (UIntPtr)targets.Length, at));
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

        public bool IsAdmissible(Plain plain) => Native.cairn_bound_is_admissible(Handle, plain) != 0;
        public bool IsConsistent(Plain plain) => Native.cairn_bound_is_consistent(Handle, plain) != 0;

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
                if (options.FlatMetric.HasValue)
                    made.flat_metric = options.FlatMetric.Value.Struct;
                Check.Done(Native.cairn_table_build(Handle, &made, out table));
            }
            return new Table(this, table);
        }

        public Search Search(SearchOptions options = null) => new Search(this, null, options);
        public Bound Bound(uint goal, Plain plain = Plain.Best) => new Bound(this, null, goal, plain);
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
                    return Native.cairn_scenario_parse(at, (UIntPtr)text.Length, Handle, out scenario,
                                                       error);
            });
        }
    }

    /// <summary>Rows of exact costs to landmarks of a map.</summary>
    public sealed unsafe class Table : IDisposable
    {
        internal readonly TableHandle Handle;
        public Map Map { get; }

        internal Table(Map map, TableHandle handle)
        {
            Map = map;
            Handle = handle;
            Handle.Keep(map.Handle);
        }

        public void Dispose()
        {
            Handle.Dispose();
        }

        private static Native.LoadOptions Loading(uint rows, ulong limit, Resident resident)
        {
            return new Native.LoadOptions { size = (UIntPtr)sizeof(Native.LoadOptions), row_count = rows,
                memory_limit = limit, resident = resident };
        }

        private static Table Loaded(MapHandle map, TableHandle table) => new Table(new Map(map), table);

        /// <summary>Map and table of a file: the map is that of the table.</summary>
        public static Table Load(string path, uint rowCount = 0, ulong memoryLimit = 0,
                                 Resident resident = Resident.Cells)
        {
            Native.Error error;
            Native.LoadOptions options = Loading(rowCount, memoryLimit, resident);
            fixed (byte* at = Check.PathBytes(path))
            {
                Check.Done(Native.cairn_load(at, &options, out MapHandle map, out TableHandle table,
                                             &error), &error, path);
                return Loaded(map, table);
            }
        }

        /// <summary>The same from the bytes of a file.</summary>
        public static Table FromBytes(ReadOnlySpan<byte> bytes, uint rowCount = 0, ulong memoryLimit = 0,
                                      Resident resident = Resident.Cells)
        {
            Native.Error error;
            Native.LoadOptions options = Loading(rowCount, memoryLimit, resident);
            fixed (byte* at = bytes)
            {
                Check.Done(Native.cairn_load_bytes(at, (UIntPtr)bytes.Length, &options, out MapHandle map,
                                                   out TableHandle table, &error), &error);
                return Loaded(map, table);
            }
        }

        private static Native.SaveOptions Saving(Codec codec, MapPart part)
        {
            return new Native.SaveOptions { size = (UIntPtr)sizeof(Native.SaveOptions), codec = codec,
                map_part = part };
        }

        public void Save(string path, Codec codec = Codec.Best, MapPart part = MapPart.Included)
        {
            Native.SaveOptions options = Saving(codec, part);
            Native.Error none = new Native.Error();
            fixed (byte* at = Check.PathBytes(path))
                Check.Done(Native.cairn_save(Map.Handle, Handle, at, &options), &none, path);
        }

        public byte[] ToBytes(Codec codec = Codec.Best, MapPart part = MapPart.Included)
        {
            Native.SaveOptions options = Saving(codec, part);
            byte* bytes;
            UIntPtr size;
            Check.Done(Native.cairn_save_bytes(Map.Handle, Handle, &options, &bytes, &size));
            byte[] copy = new ReadOnlySpan<byte>(bytes, (int)size).ToArray();
            Native.cairn_bytes_free(Map.Handle, bytes);
            return copy;
        }

        private uint Row(uint row) => Check.Index(row, RowCount, "row");

        public uint RowCount => Native.cairn_table_row_count(Handle);
        public uint EntryBits => Native.cairn_table_entry_bits(Handle);
        public Resident Resident => Native.cairn_table_resident(Handle);
        public bool IsFlat => Native.cairn_table_is_flat(Handle) != 0;
        public ulong MapHash => Native.cairn_table_map_hash(Handle);
        public ulong Memory => (ulong)Native.cairn_table_memory(Handle);
        public ulong Version => Native.cairn_table_version(Handle);

        public Metric Metric
        {
            get
            {
                Native.Metric metric = Native.cairn_table_metric(Handle);
                return new Metric(metric.straight, metric.diagonal);
            }
        }

        public bool Holds(uint node) => Native.cairn_table_holds(Handle, Map.Node(node)) != 0;
        public Way Way(uint row) => Native.cairn_table_way(Handle, Row(row));
        public uint Cost(uint row, uint node) => Native.cairn_table_cost(Handle, Row(row), Map.Node(node));
        public RowState State(uint row) => Native.cairn_table_row_state(Handle, Map.Handle, Row(row));

        public void SetCost(uint row, uint node, uint cost)
        {
            Check.Done(Native.cairn_table_set_cost(Handle, Row(row), Map.Node(node), cost));
        }

        public uint[] Landmarks(uint row)
        {
            uint* nodes;
            UIntPtr count = Native.cairn_table_landmarks(Handle, Row(row), &nodes);
            uint[] copy = new ReadOnlySpan<uint>(nodes, (int)count).ToArray();
            GC.KeepAlive(this); // whose memory was read
            return copy;
        }

        public Table Clone()
        {
            Check.Done(Native.cairn_table_clone(Handle, out TableHandle copy));
            return new Table(Map, copy);
        }

        /// <summary>Whether every entry is exact; else the first fault.</summary>
        public bool Verify(out Fault fault, uint threadCount = 0)
        {
            Native.Fault found = new Native.Fault();
            Status status = Native.cairn_table_verify(Handle, Map.Handle, threadCount, &found);
            fault = new Fault { Row = found.row, Node = found.node, Stored = found.stored,
                Possible = found.possible };
            return status != Status.EInexact && Check.Done(status);
        }

        /// <summary>Repairs rows after edits, for about so many microseconds or, without a number, until
        /// all are exact. False while there is more to do.</summary>
        public bool Refresh(uint? microseconds = null)
        {
            ulong budget = microseconds.HasValue ? (ulong)microseconds.Value << 1 | 1 : ulong.MaxValue;
            return Check.Done(Native.cairn_refresh_step(Handle, Map.Handle, budget));
        }

        /// <summary>To be called with the path of every search that used the table.</summary>
        public bool RefreshAsItPays(Path path)
        {
            Native.Path struct_ = Check.NotNull(path, "path").Struct;
            return Check.Done(Native.cairn_refresh_as_it_pays(Handle, Map.Handle, &struct_));
        }

        public void Rebuild() => Check.Done(Native.cairn_table_rebuild(Handle, Map.Handle));

        /// <summary>How many cells refreshing has visited so far.</summary>
        public ulong RefreshedCells => Native.cairn_table_refresh_counts(Handle).cells;

        public Search Search(SearchOptions options = null) => new Search(Map, this, options);
        public Bound Bound(uint goal, Plain plain = Plain.Best) => new Bound(Map, this, goal, plain);

        /// <summary>The costs from every source to every target, a row for each source.</summary>
        public void Distances(ReadOnlySpan<uint> sources, ReadOnlySpan<uint> targets, Span<uint> costs,
                              uint threadCount = 0)
        {
            Map.Distances(Handle, sources, targets, costs, threadCount);
        }

        /// <summary>Many queries on all processors.</summary>
        public Path[] SearchAll(Query[] queries, SearchOptions options = null)
        {
            Native.SearchOptions made = SearchOptions.Struct(options);
            var structs = new Native.Query[Check.NotNull(queries, "queries").Length];
            for (int i = 0; i < structs.Length; i++)
                structs[i] = new Native.Query { start = Map.Node(queries[i].Start),
                    goal = Map.Node(queries[i].Goal) };
            BatchHandle batch;
            fixed (Native.Query* at = structs)
                Check.Done(Native.cairn_search_batch(Map.Handle, Handle, &made, 0, at,
                                                     (UIntPtr)structs.Length, out batch));
            using (batch)
            {
                var paths = new Path[structs.Length];
                Native.Path* found = Native.cairn_batch_paths(batch);
                for (int i = 0; i < paths.Length; i++)
                    paths[i] = new Path(found[i]);
                return paths;
            }
        }
    }

    /// <summary>What a search found: numbers and arrays of its own, whatever the search does next.
    /// </summary>
    public sealed unsafe class Path
    {
        internal readonly Native.Path Struct;
        public uint[] Nodes { get; }
        public uint[] Corners { get; }

        internal Path(Native.Path path)
        {
            Struct = path;
            Nodes = Copy(path.nodes, path.node_count);
            Corners = Copy(path.corners, path.corner_count);
            Struct.nodes = Struct.corners = null;
        }

        private static uint[] Copy(uint* from, UIntPtr count)
        {
            return new ReadOnlySpan<uint>(from, (int)count).ToArray();
        }

        public Outcome Outcome => Struct.outcome;
        public bool IsFound => Struct.outcome == Outcome.Found;
        public uint Cost => Struct.cost;
        public double Length => Struct.length;
        public ulong Expanded => Struct.expanded;
        public ulong Generated => Struct.generated;
        public ulong OpenPeak => Struct.open_peak;
        public ulong Reopened => Struct.reopened;
        public Space Space => Struct.space;
        public RowState State => Struct.state;
        public uint RowCount => Struct.row_count;
        /// <summary>The cost is at most so many times the least; 0: not known.</summary>
        public double Guarantee => Struct.guarantee / 1000.0;
        /// <summary>Of several goals or starts the one of this path, by its place in their list.</summary>
        public ulong Which => (ulong)Struct.which;
    }

    /// <summary>What a search knows of a node.</summary>
    public struct NodeInfo
    {
        public NodeState State;
        public uint Parent;
        public uint G;
        public uint H;
        public ulong F;
    }

    /// <summary>A* over a map, for one query after another; for one thread at a time.</summary>
    public sealed unsafe class Search : IDisposable
    {
        private readonly SearchHandle handle;
        public Map Map { get; }

        internal Search(Map map, Table table, SearchOptions options)
        {
            Native.SearchOptions made = SearchOptions.Struct(options);
            Map = map;
            Check.Done(Native.cairn_search_new(map.Handle, table?.Handle ?? TableHandle.None, &made,
                                               out handle));
            handle.Keep(map.Handle);
            handle.Keep(table?.Handle);
        }

        public void Dispose()
        {
            handle.Dispose();
        }

        public ulong Memory => (ulong)Native.cairn_search_memory(handle);

        private Native.Path last;

        private Path Found(Status status, Native.Path path)
        {
            last = path;
            Check.Done(status);
            var found = new Path(path);
            GC.KeepAlive(this); // whose memory was read
            return found;
        }

        /// <summary>The path of the last run with its cells, of a search whose form is Corners.</summary>
        public Path Cells()
        {
            Native.Path path = last;
            return Found(Native.cairn_search_cells(handle, &path), path);
        }

        public Path Run(uint start, uint goal)
        {
            Native.Path path;
            return Found(Native.cairn_search_run(handle, Map.Node(start), Map.Node(goal), &path), path);
        }

        /// <summary>To the nearest of several goals, or from the nearest of several starts.</summary>
        public Path RunToAny(uint start, ReadOnlySpan<uint> goals)
        {
            Native.Path path;
            Map.Nodes(goals);
            fixed (uint* at = goals)
                return Found(Native.cairn_search_run_to_any(handle, Map.Node(start), at,
                                                            (UIntPtr)goals.Length, &path), path);
        }

        public Path RunFromAny(ReadOnlySpan<uint> starts, uint goal)
        {
            Native.Path path;
            Map.Nodes(starts);
            fixed (uint* at = starts)
                return Found(Native.cairn_search_run_from_any(handle, at, (UIntPtr)starts.Length,
                                                              Map.Node(goal), &path), path);
        }

        /// <summary>The next runs do not enter these nodes or, with as many extra costs, pay for it; an
        /// empty list ends that.</summary>
        public void Avoid(ReadOnlySpan<uint> nodes, uint[] extra = null)
        {
            Map.Nodes(nodes);
            if (extra != null && extra.Length != nodes.Length)
                throw new ArgumentException("expected as many extra costs as nodes", "extra");
            fixed (uint* at = nodes, costs = extra)
                Check.Done(Native.cairn_search_avoid(handle, at, costs, (UIntPtr)nodes.Length));
        }

        /// <summary>A path pulled straight as by Map.Pull, with lines that keep off the nodes that the
        /// search avoids.</summary>
        public uint[] Pull(Path path, out double length) => Map.Pulled(path, out length,
            (given, room, count, all) => Native.cairn_search_pull(handle, given, room, count, all));

        public Path Begin(uint start, uint goal)
        {
            Native.Path path;
            return Found(Native.cairn_search_begin(handle, Map.Node(start), Map.Node(goal), &path), path);
        }

        public Path Resume(ulong expansions)
        {
            Native.Path path;
            return Found(Native.cairn_search_resume(handle, expansions, &path), path);
        }

        public Path ResumeFor(ulong microseconds)
        {
            Native.Path path;
            return Found(Native.cairn_search_resume_for(handle, microseconds, &path), path);
        }

        public NodeInfo Look(uint node)
        {
            Native.NodeInfo info;
            Check.Done(Native.cairn_search_look(handle, Map.Node(node), &info));
            return new NodeInfo { State = info.state, Parent = info.parent, G = info.g, H = info.h,
                F = info.f };
        }
    }

    /// <summary>A lower bound on the cost to a goal, for an A* of your own.</summary>
    public sealed unsafe class Bound : IDisposable
    {
        private sealed class Memory : CairnHandle
        {
            internal Memory()
            {
                SetHandle(Marshal.AllocHGlobal(sizeof(Native.Bound)));
            }

            protected override bool ReleaseHandle()
            {
                Marshal.FreeHGlobal(handle);
                return ReleaseParents();
            }

            internal Native.Bound* At => (Native.Bound*)handle;
        }

        private readonly Memory memory = new Memory();
        public Map Map { get; }

        internal Bound(Map map, Table table, uint goal, Plain plain)
        {
            Map = map;
            Check.Done(Native.cairn_bound_with(map.Handle, table?.Handle ?? TableHandle.None,
                                               map.Node(goal), plain, memory.At));
            memory.Keep(map.Handle);
            memory.Keep(table?.Handle);
        }

        public void Dispose()
        {
            memory.Dispose();
        }

        public bool IsCurrent
        {
            get
            {
                if (memory.IsClosed)
                    throw new ObjectDisposedException("Bound");
                bool isCurrent = Native.cairn_bound_is_current(memory.At) != 0;
                GC.KeepAlive(this);
                return isCurrent;
            }
        }

        private void CheckCurrent()
        {
            if (!IsCurrent)
                throw new CairnException("the map or its table changed since the bound was made",
                                         Status.EChanged);
        }

        public uint At(uint node)
        {
            CheckCurrent();
            uint cost = Native.cairn_bound_at(memory.At, Map.Node(node));
            GC.KeepAlive(this);
            return cost;
        }

        /// <summary>The bounds of many nodes.</summary>
        public void At(ReadOnlySpan<uint> nodes, Span<uint> bounds)
        {
            if (nodes.Length != bounds.Length)
                throw new ArgumentException("expected as many bounds as nodes");
            Map.Nodes(nodes);
            CheckCurrent();
            fixed (uint* from = nodes, to = bounds)
                Check.Done(Native.cairn_bounds_at(memory.At, from, (UIntPtr)nodes.Length, to));
            GC.KeepAlive(this);
        }
    }

    /// <summary>Floods of one map, which keep their memory; for one thread at a time.</summary>
    public sealed unsafe class Flood : IDisposable
    {
        private readonly FloodHandle handle;
        public Map Map { get; }

        internal Flood(Map map)
        {
            Map = map;
            Check.Done(Native.cairn_flood_new(map.Handle, out handle));
            handle.Keep(map.Handle);
        }

        public void Dispose()
        {
            handle.Dispose();
        }

        /// <summary>How far floods and fields go from now on: to costs of at most `most`, and until
        /// all nodes of a list are reached. Without arguments everywhere.</summary>
        public void Limit(uint most = uint.MaxValue, ReadOnlySpan<uint> until = default)
        {
            Map.Nodes(until);
            fixed (uint* nodes = until)
                Check.Done(Native.cairn_flood_limit(handle, most, nodes, (UIntPtr)until.Length));
        }

        public void CostsFrom(ReadOnlySpan<uint> sources, Span<uint> costs)
        {
            Map.Room(costs);
            Map.Nodes(sources);
            fixed (uint* from = sources, to = costs)
                Check.Done(Native.cairn_flood_from(handle, from, (UIntPtr)sources.Length, to));
        }

        public void CostsTo(ReadOnlySpan<uint> targets, Span<uint> costs)
        {
            Map.Room(costs);
            Map.Nodes(targets);
            fixed (uint* from = targets, to = costs)
                Check.Done(Native.cairn_flood_to(handle, from, (UIntPtr)targets.Length, to));
        }

        /// <summary>For every node the step towards the nearest target, for Map.FlowNext.</summary>
        public void FlowTo(ReadOnlySpan<uint> targets, Span<byte> flow)
        {
            Map.Room(flow);
            Map.Nodes(targets);
            fixed (uint* from = targets)
            fixed (byte* to = flow)
                Check.Done(Native.cairn_flood_flow(handle, from, (UIntPtr)targets.Length, to, null));
        }

        /// <summary>The same as an object, which follows edits of the map.</summary>
        public Flow Follow(ReadOnlySpan<uint> targets) => new Flow(this, handle, targets);
    }

    /// <summary>A flow field with its costs, which serves as long as its flood does, one thread at a
    /// time.</summary>
    public sealed unsafe class Flow
    {
        private readonly FloodHandle flood;
        private readonly uint[] targets;
        private readonly byte[] steps;
        private readonly uint[] costs;
        private ulong? hash; // none: to be computed as a whole
        public Map Map { get; }

        internal Flow(Flood flood, FloodHandle handle, ReadOnlySpan<uint> targets)
        {
            Map = flood.Map;
            Map.Nodes(targets);
            this.flood = handle;
            this.targets = targets.ToArray();
            steps = new byte[Map.NodeCount];
            costs = new uint[Map.NodeCount];
            Repair();
        }

        /// <summary>The field after the edits since it was made or repaired.</summary>
        public void Repair()
        {
            Status status;
            fixed (uint* from = targets, to = costs)
            fixed (byte* first = steps)
                status = hash.HasValue
                    ? Native.cairn_flow_repair(flood, from, (UIntPtr)targets.Length, hash.Value, first, to)
                    : Native.cairn_flood_flow(flood, from, (UIntPtr)targets.Length, first, to);
            if (status == Status.Ok)
                hash = Map.Hash;
            else if (status != Status.EArgument)
                hash = null;
            Check.Done(status);
        }

        /// <summary>What Flood.FlowTo and Flood.CostsTo give.</summary>
        public ReadOnlySpan<byte> Steps => Filled(steps);
        public ReadOnlySpan<uint> Costs => Filled(costs);

        /// <summary>Where the field leads from a node; Constants.NoNode: nowhere.</summary>
        public uint Next(uint node) => Map.FlowNext(Filled(steps), node);

        private T[] Filled<T>(T[] entries)
        {
            if (!hash.HasValue)
                throw new CairnException("the field could not be repaired", Status.EMemory);
            return entries;
        }
    }
}
