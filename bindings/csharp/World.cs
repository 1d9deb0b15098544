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
        /// one.</summary>
        public void Change(params Edit[] edits)
        {
            Map.WithStructs(edits, (at, count) =>
                Check.Done(Native.cairn_world_edit(Handle, at, count)));
        }

        /// <summary>Repairs the table of the draft; false where more is left to do.</summary>
        public bool Refresh(uint? microseconds = null)
        {
            ulong budget = microseconds.HasValue
                ? (ulong)microseconds.Value << 1 | 1 : ulong.MaxValue;
            return Check.Done(Native.cairn_world_refresh_step(Handle, budget));
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
                {
                    Native.View view = Native.cairn_world_acquire(Handle);
                    ulong version = view.version;
                    Native.cairn_world_release(Handle, &view);
                    return version;
                }
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
            {
                Native.View view = Native.cairn_world_acquire(world.Handle);
                try
                {
                    Check.Done(Native.cairn_search_new_raw(view.map, view.table, &made,
                                                           out handle));
                    handle.Keep(world.Handle);
                }
                finally
                {
                    Native.cairn_world_release(world.Handle, &view);
                }
            }
        }

        public void Dispose()
        {
            handle.Dispose();
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
            {
                Native.View view = Native.cairn_world_acquire(world.Handle);
                try
                {
                    Check.Done(Native.cairn_search_use_raw(handle, view.map, view.table));
                    Check.Done(Native.cairn_search_run(handle, start, goal, &path));
                    return new Path(path);
                }
                finally
                {
                    Native.cairn_world_release(world.Handle, &view);
                }
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
    }
}
