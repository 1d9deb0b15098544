using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;

namespace Cairn
{
    /// <summary>An object of the library, freed when neither the program nor another object of the
    /// library needs it, whatever the collector meets first.</summary>
    internal abstract class CairnHandle : SafeHandle
    {
        private readonly List<CairnHandle> parents = new List<CairnHandle>();
        private int users;

        /// <summary>How many objects keep this one.</summary>
        internal int Users => Volatile.Read(ref users);

        protected CairnHandle() : base(IntPtr.Zero, true)
        {
        }

        public override bool IsInvalid => handle == IntPtr.Zero;

        internal void Keep(CairnHandle parent)
        {
            if (parent == null || parent.IsInvalid)
                return;
            bool isKept = false;
            parent.DangerousAddRef(ref isKept);
            if (!isKept)
                return;
            parents.Add(parent);
            Interlocked.Increment(ref parent.users);
        }

        /// <summary>Keeps the object until the end of a `using`, whatever other threads dispose of:
        /// for calls that give addresses in its memory.</summary>
        internal Hold Held() => new Hold(this);

        internal readonly struct Hold : IDisposable
        {
            private readonly CairnHandle held;

            internal Hold(CairnHandle handle)
            {
                bool isKept = false;
                handle.DangerousAddRef(ref isKept);
                held = handle;
            }

            public void Dispose()
            {
                held.DangerousRelease();
            }
        }

        internal bool ReleaseParents()
        {
            foreach (CairnHandle parent in parents)
            {
                Interlocked.Decrement(ref parent.users);
                parent.DangerousRelease();
            }
            return true;
        }
    }

    internal sealed partial class MapHandle
    {
        private readonly List<MapHandle> followers = new List<MapHandle>();

        /// <summary>An edit of this map edits the follower too: the collector may not free it
        /// meanwhile.</summary>
        internal void AddFollower(MapHandle follower)
        {
            follower.Keep(this);
            followers.RemoveAll(each => each.IsClosed);
            followers.Add(follower);
        }
    }

    internal sealed partial class TableHandle
    {
        /// <summary>Where the library takes NULL for "no table".</summary>
        internal static readonly TableHandle None = new TableHandle();
    }

    internal static unsafe partial class Native
    {
        private const string Library = "cairn";
    }
}
