// Prints the source of a netstandard.dll that forwards to mono's mscorlib, for machines where mono
// comes without its own.
using System;

static class Forward
{
    static string Spelled(Type type)
    {
        string name = type.FullName;
        int mark = name.IndexOf('`');
        if (mark >= 0)
            name = name.Substring(0, mark) + "<"
                + new string(',', type.GetGenericArguments().Length - 1) + ">";
        return "global::" + name;
    }

    static void Main()
    {
        Console.WriteLine("[assembly: System.Reflection.AssemblyVersion(\"2.1.0.0\")]");
        foreach (Type type in typeof(object).Assembly.GetExportedTypes())
            if (!type.IsNested && type != typeof(void))
                Console.WriteLine("[assembly: System.Runtime.CompilerServices.TypeForwardedTo("
                                  + "typeof(" + Spelled(type) + "))]");
    }
}
