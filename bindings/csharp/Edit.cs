using System;

namespace Cairn
{
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

        /// <summary>Bit i of the bytes, lowest first, is whether cell i of the rectangle is
        /// open.</summary>
        public static Edit Bits(uint x, uint y, uint width, uint height, byte[] bits)
        {
            return WithData(EditKind.Bits, x, y, width, height, bits,
                            ((ulong)width * height + 7) / 8);
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
            return new Edit { Kind = kind, X = x, Y = y, Width = width, Height = height,
                Data = data };
        }
    }
}
