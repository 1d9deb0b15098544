using System;

namespace Cairn
{
    /// <summary>Floods of one map, which keep their memory; for one thread at a time.</summary>
    public sealed unsafe class Flood : IDisposable
    {
        private readonly FloodHandle handle;
        public Map Map { get; }

        /// <summary>Whether floods and fields end somewhere.</summary>
        internal bool IsLimited { get; private set; }

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
            IsLimited = most != uint.MaxValue || until.Length > 0;
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
                Check.Done(Native.cairn_flood_flow(handle, from, (UIntPtr)targets.Length, to,
                                                   null));
        }

        /// <summary>The same as an object, which follows edits of the map.</summary>
        public Flow Follow(ReadOnlySpan<uint> targets) => new Flow(this, handle, targets);
    }

    /// <summary>A flow field with its costs, which serves as long as its flood does, one thread at
    /// a time.</summary>
    public sealed unsafe class Flow
    {
        private readonly Flood flood;
        private readonly FloodHandle handle;
        private readonly uint[] targets;
        private readonly byte[] steps;
        private readonly uint[] costs;
        private ulong? hash; // none: to be computed as a whole
        private bool wasLimited; // so that what lies beyond is not known
        public Map Map { get; }

        internal Flow(Flood flood, FloodHandle handle, ReadOnlySpan<uint> targets)
        {
            Map = flood.Map;
            Map.Nodes(targets);
            this.flood = flood;
            this.handle = handle;
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
                status = hash.HasValue && !wasLimited
                    ? Native.cairn_flow_repair(handle, from, (UIntPtr)targets.Length, hash.Value,
                                               first, to)
                    : Native.cairn_flood_flow(handle, from, (UIntPtr)targets.Length, first, to);
            if (status == Status.Ok)
                (hash, wasLimited) = (Map.Hash, flood.IsLimited);
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
