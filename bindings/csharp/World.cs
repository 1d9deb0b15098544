using System;
using System.Runtime.InteropServices;

namespace Cairn
{
    /// <summary>A map and its table for any number of threads that search beside one that changes
    /// them. What is changed is a draft; searches find what was published last, and never
    /// wait.</summary>
    public sealed unsafe class World : IDisposable
    {
        internal readonly WorldHandle Handle;
        public uint NodeCount { get; }

        /// <summary>Map and table become the world's and can be used no longer; the table may be
        /// null. What was made from them has to be disposed of before.</summary>
        public World(Map map, Table table = null)
        {
            Check.NotNull(map, "map");
            if (table != null && table.Map != map)
                throw new ArgumentException("expected a table of that map", "table");
            if (map.Handle.Users != (table == null ? 0 : 1) || (table?.Handle.Users ?? 0) != 0)
                throw new InvalidOperationException(
                    "what was made from the map and its table, such as searches, floods, bounds "
                    + "and maps for units, has to be disposed of first");
            NodeCount = map.NodeCount;
            Check.Done(Native.cairn_world_new(map.Handle, table?.Handle ?? TableHandle.None,
                                              out Handle));
            map.Handle.SetHandleAsInvalid();
            map.Handle.ReleaseParents(); // whose edits it follows no longer
            table?.Handle.SetHandleAsInvalid();
        }

        /// <summary>Searches of this world keep it as long as they need it.</summary>
        public void Dispose()
        {
            Handle.Dispose();
        }

        /// <summary>A search for one thread: each run takes the state that was published
        /// last.</summary>
        public WorldSearch Search(SearchOptions options = null) => new WorldSearch(this, options);

        /// <summary>For one thread at a time, as Refresh and Publish: edits the draft. The status
        /// of the exception is Busy while searches still run on the state before the published
        /// one; of edits that are refused its line is the number of the first one.</summary>
        public void Change(params Edit[] edits)
        {
            Map.WithStructs(edits, Make);
        }

        /// <summary>Edits in the form of a file.</summary>
        public void Change(string text)
        {
            Map.WithParsed(text, Make);
        }

        private void Make(Native.Edit* edits, UIntPtr count)
        {
            Native.Error error = new Native.Error();
            Status status = Native.cairn_world_edit(Handle, edits, count);
            if (status != Status.Ok && WhyNot(edits, count, &error) != status)
                error = new Native.Error();
            Check.Done(status, &error);
        }

        /// <summary>What the published state has against edits: it accepts those that the draft
        /// does.</summary>
        private Status WhyNot(Native.Edit* edits, UIntPtr count, Native.Error* error)
        {
            using (Handle.Held())
            using (var state = new Published(Handle))
                return Native.cairn_map_check_edits_raw(state.View.map, edits, count, error);
        }

        /// <summary>The state that was published last, which stays as it is until the end of a
        /// `using`.</summary>
        internal readonly struct Published : IDisposable
        {
            private readonly WorldHandle world;
            internal readonly Native.View View;

            internal Published(WorldHandle world)
            {
                this.world = world;
                View = Native.cairn_world_acquire(world);
            }

            public void Dispose()
            {
                Native.View view = View;
                Native.cairn_world_release(world, &view);
            }
        }

        /// <summary>Repairs the table of the draft; false where more is left to do.</summary>
        public bool Refresh(uint? microseconds = null)
        {
            return Check.Done(
                Native.cairn_world_refresh_step(Handle, Budget.Of(microseconds)));
        }

        /// <summary>Runs that begin from now on find the draft.</summary>
        public void Publish()
        {
            Check.Done(Native.cairn_world_publish(Handle));
        }

        /// <summary>How often it was published.</summary>
        public ulong Version
        {
            get
            {
                using (Handle.Held())
                using (var state = new Published(Handle))
                    return state.View.version;
            }
        }
    }

    /// <summary>A* over the states of a world, for one thread at a time.</summary>
    public sealed unsafe class WorldSearch : IDisposable
    {
        private readonly SearchHandle handle;
        private readonly World world;

        internal WorldSearch(World world, SearchOptions options)
        {
            Native.SearchOptions made = SearchOptions.Struct(options);
            this.world = world;
            using (world.Handle.Held())
            using (var state = new World.Published(world.Handle))
            {
                Check.Done(Native.cairn_search_new_raw(state.View.map, state.View.table, &made,
                                                       out handle));
                handle.Keep(world.Handle);
            }
        }

        public void Dispose()
        {
            handle.Dispose();
        }

        private void Use(World.Published state)
        {
            Check.Done(Native.cairn_search_use_raw(handle, state.View.map, state.View.table));
        }

        private void Nodes(ReadOnlySpan<uint> nodes)
        {
            foreach (uint node in nodes)
                Check.Index(node, world.NodeCount, "nodes");
        }

        /// <summary>The path in the state that was published last, which stays as it is
        /// meanwhile.</summary>
        public Path Run(uint start, uint goal)
        {
            Check.Index(start, world.NodeCount, "start");
            Check.Index(goal, world.NodeCount, "goal");
            Native.Path path;
            using (handle.Held())
            using (world.Handle.Held())
            using (var state = new World.Published(world.Handle))
            {
                Use(state);
                Check.Done(Native.cairn_search_run(handle, start, goal, &path));
                return new Path(path);
            }
        }

        /// <summary>To the nearest of several goals, or from the nearest of several
        /// starts.</summary>
        public Path RunToAny(uint start, ReadOnlySpan<uint> goals)
        {
            Check.Index(start, world.NodeCount, "start");
            Nodes(goals);
            Native.Path path;
            using (handle.Held())
            using (world.Handle.Held())
            using (var state = new World.Published(world.Handle))
            fixed (uint* at = goals)
            {
                Use(state);
                Check.Done(Native.cairn_search_run_to_any(handle, start, at,
                                                          (UIntPtr)goals.Length, &path));
                return new Path(path);
            }
        }

        public Path RunFromAny(ReadOnlySpan<uint> starts, uint goal)
        {
            Nodes(starts);
            Check.Index(goal, world.NodeCount, "goal");
            Native.Path path;
            using (handle.Held())
            using (world.Handle.Held())
            using (var state = new World.Published(world.Handle))
            fixed (uint* at = starts)
            {
                Use(state);
                Check.Done(Native.cairn_search_run_from_any(handle, at, (UIntPtr)starts.Length,
                                                            goal, &path));
                return new Path(path);
            }
        }

        /// <summary>The next runs do not enter these nodes or, with as many extra costs, pay for
        /// it; an empty list ends that.</summary>
        public void Avoid(ReadOnlySpan<uint> nodes, uint[] extra = null)
        {
            Nodes(nodes);
            if (extra != null && extra.Length != nodes.Length)
                throw new ArgumentException("expected as many extra costs as nodes", "extra");
            using (handle.Held())
            using (world.Handle.Held())
            using (var state = new World.Published(world.Handle))
            fixed (uint* at = nodes, costs = extra)
            {
                Use(state);
                Check.Done(Native.cairn_search_avoid(handle, at, costs, (UIntPtr)nodes.Length));
            }
        }
    }

    internal static unsafe partial class Native
    {
        [DllImport(Library, EntryPoint = "cairn_search_new",
            CallingConvention = CallingConvention.Cdecl)]
        internal static extern Status cairn_search_new_raw(IntPtr map, IntPtr table,
            SearchOptions* options, out SearchHandle search);

        [DllImport(Library, EntryPoint = "cairn_search_use",
            CallingConvention = CallingConvention.Cdecl)]
        internal static extern Status cairn_search_use_raw(SearchHandle search, IntPtr map,
            IntPtr table);

        [DllImport(Library, EntryPoint = "cairn_map_check_edits",
            CallingConvention = CallingConvention.Cdecl)]
        internal static extern Status cairn_map_check_edits_raw(IntPtr map, Edit* edits,
            UIntPtr count, Error* error);
    }
}
