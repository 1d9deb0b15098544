using System;

namespace Cairn
{
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

        internal Native.Metric Struct =>
            new Native.Metric { straight = Straight, diagonal = Diagonal };
    }

    /// <summary>Heights of the cells of a grid, in row order; a step up costs Climb thousandths of
    /// a straight step more for each unit, a step down Descend.</summary>
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
        /// <summary>What letters cost: "S=3,W=blocked,one-way". Null: as in Moving AI's
        /// maps.</summary>
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
        public Metric? StepMetric;
        public Resident Resident;
    }

    internal static class Budget
    {
        /// <summary>A cairn_budget of microseconds, or without a number of all.</summary>
        internal static ulong Of(uint? microseconds) =>
            microseconds.HasValue ? 2UL << 62 | microseconds.Value : ulong.MaxValue;
    }

    /// <summary>How a search goes about it. All zero: as fast as it can.</summary>
    public sealed class SearchOptions
    {
        public Space Space;
        public Form Form;
        public Heuristic Heuristic;
        /// <summary>In thousandths, from 1000; 0: 1000.</summary>
        public uint Weight;
        public Ties Ties;
        public bool Nearest;
        public bool NeverReopen;
        public ulong ExpansionLimit;

        internal static unsafe Native.SearchOptions Struct(SearchOptions options)
        {
            options = options ?? new SearchOptions();
            return new Native.SearchOptions
            {
                size = (UIntPtr)sizeof(Native.SearchOptions),
                space = options.Space,
                form = options.Form,
                heuristic = options.Heuristic,
                weight = options.Weight,
                ties = options.Ties,
                nearest = (byte)(options.Nearest ? 1 : 0),
                expansion_limit = options.ExpansionLimit,
                never_reopen = (byte)(options.NeverReopen ? 1 : 0),
            };
        }
    }
}
