using System;
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
        public const uint NoComponent = Native.CAIRN_NO_COMPONENT;

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
            if (error->status == Status.Ok) // the call says no more than its status
                error->status = status;
            if (status == Status.EIo && error->found[0] == 0)
                AddReason(error, Marshal.GetLastWin32Error());
            byte[] name = where == null ? null : PathBytes(where);
            byte[] text;
            fixed (byte* about = name)
            {
                UIntPtr size = Native.cairn_error_text(error, about, null, UIntPtr.Zero) + 1;
                text = new byte[(int)size];
                fixed (byte* to = text)
                    Native.cairn_error_text(error, about, to, size);
            }
            string message = Encoding.UTF8.GetString(text, 0, text.Length - 1);
            throw new CairnException(message, status, error->line, error->offset);
        }

        /// <summary>What errno says. Windows has other numbers there.</summary>
        private static void AddReason(Native.Error* error, int number)
        {
            if (number == 0 || Environment.OSVersion.Platform != PlatformID.Unix)
                return;
            byte* reason = Native.strerror(number);
            for (int i = 0; i < 63 && reason[i] != 0; i++)
                error->found[i] = reason[i];
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

    internal static unsafe partial class Native
    {
        [DllImport("libc", CallingConvention = CallingConvention.Cdecl)]
        internal static extern byte* strerror(int number);
    }
}
