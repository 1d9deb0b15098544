using System;

namespace Cairn
{
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
        /// <summary>Of several goals or starts the one of this path, by its place in their
        /// list.</summary>
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
            return new Path(path);
        }

        /// <summary>The path of the last run with its cells, of a search whose form is
        /// Corners.</summary>
        public Path Cells()
        {
            Native.Path path = last;
            using (handle.Held())
                return Found(Native.cairn_search_cells(handle, &path), path);
        }

        public Path Run(uint start, uint goal)
        {
            Native.Path path;
            using (handle.Held())
                return Found(Native.cairn_search_run(handle, Map.Node(start), Map.Node(goal),
                                                     &path), path);
        }

        /// <summary>To the nearest of several goals, or from the nearest of several
        /// starts.</summary>
        public Path RunToAny(uint start, ReadOnlySpan<uint> goals)
        {
            Native.Path path;
            Map.Nodes(goals);
            using (handle.Held())
            fixed (uint* at = goals)
                return Found(Native.cairn_search_run_to_any(handle, Map.Node(start), at,
                                                            (UIntPtr)goals.Length, &path), path);
        }

        public Path RunFromAny(ReadOnlySpan<uint> starts, uint goal)
        {
            Native.Path path;
            Map.Nodes(starts);
            using (handle.Held())
            fixed (uint* at = starts)
                return Found(Native.cairn_search_run_from_any(handle, at, (UIntPtr)starts.Length,
                                                              Map.Node(goal), &path), path);
        }

        /// <summary>The next runs do not enter these nodes or, with as many extra costs, pay for
        /// it; an empty list ends that.</summary>
        public void Avoid(ReadOnlySpan<uint> nodes, uint[] extra = null)
        {
            Map.Nodes(nodes);
            if (extra != null && extra.Length != nodes.Length)
                throw new ArgumentException("expected as many extra costs as nodes", "extra");
            fixed (uint* at = nodes, costs = extra)
                Check.Done(Native.cairn_search_avoid(handle, at, costs, (UIntPtr)nodes.Length));
        }

        /// <summary>A path pulled straight as by Map.Pull, with lines that keep off the nodes that
        /// the search avoids.</summary>
        public uint[] Pull(Path path, out double length) => Map.Pulled(path, out length,
            (given, room, count, all) => Native.cairn_search_pull(handle, given, room, count, all));

        public Path Begin(uint start, uint goal)
        {
            Native.Path path;
            using (handle.Held())
                return Found(Native.cairn_search_begin(handle, Map.Node(start), Map.Node(goal),
                                                       &path), path);
        }

        /// <summary>RunToAny and RunFromAny in slices.</summary>
        public Path BeginToAny(uint start, ReadOnlySpan<uint> goals)
        {
            Native.Path path;
            Map.Nodes(goals);
            using (handle.Held())
            fixed (uint* at = goals)
                return Found(Native.cairn_search_begin_to_any(handle, Map.Node(start), at,
                                                              (UIntPtr)goals.Length, &path), path);
        }

        public Path BeginFromAny(ReadOnlySpan<uint> starts, uint goal)
        {
            Native.Path path;
            Map.Nodes(starts);
            using (handle.Held())
            fixed (uint* at = starts)
                return Found(Native.cairn_search_begin_from_any(handle, at, (UIntPtr)starts.Length,
                                                                Map.Node(goal), &path), path);
        }

        public Path Resume(ulong expansions)
        {
            Native.Path path;
            using (handle.Held())
                return Found(Native.cairn_search_resume(handle, expansions, &path), path);
        }

        public Path ResumeFor(ulong microseconds)
        {
            Native.Path path;
            using (handle.Held())
                return Found(Native.cairn_search_resume_for(handle, microseconds, &path), path);
        }

        public NodeInfo NodeInfo(uint node)
        {
            Native.NodeInfo info;
            Check.Done(Native.cairn_search_node_info(handle, Map.Node(node), &info));
            return new NodeInfo { State = info.state, Parent = info.parent, G = info.g, H = info.h,
                F = info.f };
        }
    }
}
