using System;
using System.Runtime.InteropServices;

namespace Cairn
{
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

        internal Bound(Map map, Table table, uint goal, Heuristic heuristic)
        {
            Map = map;
            Check.Done(Native.cairn_bound_with(map.Handle, table?.Handle ?? TableHandle.None,
                                               map.Node(goal), heuristic, memory.At));
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
                using (memory.Held())
                    return Native.cairn_bound_is_current(memory.At) != 0;
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
            using (memory.Held())
                return Native.cairn_bound_at(memory.At, Map.Node(node));
        }

        /// <summary>The bounds of many nodes.</summary>
        public void At(ReadOnlySpan<uint> nodes, Span<uint> bounds)
        {
            if (nodes.Length != bounds.Length)
                throw new ArgumentException("expected as many bounds as nodes");
            Map.Nodes(nodes);
            CheckCurrent();
            using (memory.Held())
            fixed (uint* from = nodes, to = bounds)
                Check.Done(Native.cairn_bounds_at(memory.At, from, (UIntPtr)nodes.Length, to));
        }
    }
}
