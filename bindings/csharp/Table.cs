using System;

namespace Cairn
{
    /// <summary>What Verify found wrong.</summary>
    public struct Fault
    {
        public uint Row;
        public uint Node;
        public uint Stored;
        public uint Possible;
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
            return new Native.LoadOptions { size = (UIntPtr)sizeof(Native.LoadOptions),
                row_count = rows, memory_limit = limit, resident = resident };
        }

        private static Table Loaded(MapHandle map, TableHandle table) =>
            new Table(new Map(map), table);

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
        public static Table FromBytes(ReadOnlySpan<byte> bytes, uint rowCount = 0,
                                      ulong memoryLimit = 0, Resident resident = Resident.Cells)
        {
            Native.Error error;
            Native.LoadOptions options = Loading(rowCount, memoryLimit, resident);
            fixed (byte* at = bytes)
            {
                Check.Done(Native.cairn_load_bytes(at, (UIntPtr)bytes.Length, &options,
                                                   out MapHandle map, out TableHandle table,
                                                   &error), &error);
                return Loaded(map, table);
            }
        }

        private static Native.SaveOptions Saving(Codec codec, MapPart part)
        {
            return new Native.SaveOptions { size = (UIntPtr)sizeof(Native.SaveOptions),
                codec = codec, map_part = part };
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
        public bool CountsSteps => Native.cairn_table_counts_steps(Handle) != 0;
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
        public Direction Direction(uint row) => Native.cairn_table_direction(Handle, Row(row));
        public uint Cost(uint row, uint node) =>
            Native.cairn_table_cost(Handle, Row(row), Map.Node(node));
        public RowState State(uint row) =>
            Native.cairn_table_row_state(Handle, Map.Handle, Row(row));

        public void SetCost(uint row, uint node, uint cost)
        {
            Check.Done(Native.cairn_table_set_cost(Handle, Row(row), Map.Node(node), cost));
        }

        public uint[] Landmarks(uint row)
        {
            uint* nodes;
            using (Handle.Held())
            {
                UIntPtr count = Native.cairn_table_landmarks(Handle, Row(row), &nodes);
                return new ReadOnlySpan<uint>(nodes, (int)count).ToArray();
            }
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

        /// <summary>Repairs rows after edits, for about so many microseconds or, without a number,
        /// until all are exact. False while there is more to do.</summary>
        public bool Refresh(uint? microseconds = null)
        {
            return Check.Done(
                Native.cairn_refresh_step(Handle, Map.Handle, Budget.Of(microseconds)));
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
        public Bound Bound(uint goal, Heuristic heuristic = Heuristic.Best) =>
            new Bound(Map, this, goal, heuristic);

        /// <summary>The costs from every source to every target, a row for each source.</summary>
        public void Distances(ReadOnlySpan<uint> sources, ReadOnlySpan<uint> targets,
                              Span<uint> costs, uint threadCount = 0)
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
                Check.Done(Native.cairn_search_batch(Map.Handle, Handle, at,
                                                     (UIntPtr)structs.Length, &made, 0,
                                                     out batch));
            using (batch)
            {
                var paths = new Path[(int)Native.cairn_batch_count(batch)];
                Native.Path* found = Native.cairn_batch_paths(batch);
                for (int i = 0; i < paths.Length; i++)
                    paths[i] = new Path(found[i]);
                return paths;
            }
        }
    }
}
