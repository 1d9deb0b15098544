// Calls everything with arguments of any size. An exception is an answer, an end of the process is
// a fault.
//
//     mono Storm.exe CALLS SEED
using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using Cairn;

public static class Storm
{
    private static readonly List<object> kept = new List<object>();
    private static Random random;
    private static readonly string[] rows = { "..@.....", ".@@..@..", "........", ".@..@@@." };
    private static readonly Type[] types = { typeof(Map), typeof(Table), typeof(Search),
        typeof(Bound), typeof(Flood), typeof(Path), typeof(Edit), typeof(World),
        typeof(WorldSearch), typeof(Flow) };

    private static uint Number()
    {
        uint[] odd = { 0, 1, 2, 16, 31, 32, 255, 65535, 65536, 1u << 31, uint.MaxValue - 1,
            uint.MaxValue };
        return random.Next(3) == 0 ? odd[random.Next(odd.Length)] : (uint)random.Next(32);
    }

    private static T[] Many<T>(Func<T> one)
    {
        int[] counts = { 0, 1, 2, 8, 32, 32, 33 };
        return Enumerable.Range(0, counts[random.Next(counts.Length)]).Select(_ => one()).ToArray();
    }

    private static object Value(Type type)
    {
        if (type.IsByRef)
            type = type.GetElementType();
        if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Nullable<>))
            return random.Next(3) == 0 ? null : Value(type.GetGenericArguments()[0]);
        if (type == typeof(uint))
            return Number();
        if (type == typeof(ulong))
            return (ulong)Number() << random.Next(20);
        if (type == typeof(int))
            return (int)Number();
        if (type == typeof(bool))
            return random.Next(2) == 0;
        if (type == typeof(char))
            return ".@TSWx\u1234\0"[random.Next(8)];
        if (type.IsEnum)
            return Enum.ToObject(type, random.Next(9) == 0 ? (int)Number() : random.Next(5));
        if (type == typeof(Metric))
            return new Metric(Number(), Number());
        if (random.Next(8) == 0 && !type.IsValueType)
            return null;
        if (type == typeof(string))
            return new[] { "", "x", "block 1 1", "cost 0 1 2\n", "/no/such/file", "S=3",
                "\0" }[random.Next(7)];
        if (type == typeof(string[]))
            return random.Next(2) == 0 ? rows : Many(() => (string)Value(typeof(string)));
        if (type == typeof(byte[]))
            return Many(() => (byte)".@T"[random.Next(3)]);
        if (type == typeof(uint[]))
            return Many(Number);
        if (type == typeof(int[]))
            return Many(() => (int)Number());
        if (type == typeof(ushort[]))
            return Many(() => (ushort)Number());
        if (type == typeof(Edit))
            return random.Next(2) == 0 ? Edit.Block(Number(), Number())
                : Edit.ArcCost(Number(), Number(), Number());
        if (type == typeof(Edit[]))
            return Many(() => (Edit)Value(typeof(Edit)));
        if (type == typeof(Query[]))
            return Many(() => new Query { Start = Number(), Goal = Number() });
        object old = kept.Where(type.IsInstanceOfType).OrderBy(_ => random.Next()).FirstOrDefault();
        if (old != null || types.Contains(type))
            return old;
        object made = Activator.CreateInstance(type);
        foreach (FieldInfo field in type.GetFields(BindingFlags.Public | BindingFlags.Instance))
            if (random.Next(3) == 0)
                field.SetValue(made, Value(field.FieldType));
        return made;
    }

    // Spans cannot be given by reflection.
    private static object CallSpans(Map map)
    {
        uint[] nodes = Many(Number);
        var costs = new uint[random.Next(4) == 0 ? random.Next(40) : (int)map.NodeCount];
        var flow = new byte[random.Next(4) == 0 ? random.Next(40) : (int)map.NodeCount];
        var search = (Search)Value(typeof(Search));
        var bound = (Bound)Value(typeof(Bound));
        switch (random.Next(13))
        {
            case 0: map.CostsFrom(nodes, costs); break;
            case 1: map.CostsTo(nodes, costs); break;
            case 2: map.FlowNext(flow, Number()); break;
            case 3: return search?.RunToAny(Number(), nodes);
            case 4: return search?.RunFromAny(nodes, Number());
            case 5: bound?.At(nodes, new uint[nodes.Length]); break;
            case 6: ((Flood)Value(typeof(Flood)))?.FlowTo(nodes, flow); break;
            case 7: return Table.FromBytes((byte[])Value(typeof(byte[])));
            case 8: map.Clearance(new ushort[costs.Length], (Anchor)Value(typeof(Anchor))); break;
            case 9: map.Distances(nodes, nodes, new uint[nodes.Length * nodes.Length],
                Number()); break;
            case 11: return ((Flood)Value(typeof(Flood)))?.Follow(nodes);
            case 10: return new World(map, random.Next(2) == 0
                ? (Table)Value(typeof(Table)) : null);
            default:
                return Map.FromArcs(Number() % 1000, Many(() => new Step { From = Number() % 9,
                    To = Number() % 9, Cost = Number() }));
        }
        return null;
    }

    private static object Call()
    {
        if (random.Next(6) == 0)
            return CallSpans((Map)kept.First(each => each is Map));
        Type type = types[random.Next(types.Length)];
        MethodInfo[] methods = type.GetMethods(BindingFlags.Public | BindingFlags.Instance |
                                               BindingFlags.Static | BindingFlags.DeclaredOnly);
        MethodInfo method = methods[random.Next(methods.Length)];
        object self = method.IsStatic ? null : Value(type);
        bool hasSpans = method.GetParameters().Any(each => each.ParameterType.Name.Contains("Span"))
            || method.ReturnType.Name.Contains("Span");
        if (hasSpans || (self == null && !method.IsStatic) || method.Name == "Save")
            return null;
        if (method.Name == "Dispose" && random.Next(5) > 0)
            return null;
        return method.Invoke(self,
            method.GetParameters().Select(each => Value(each.ParameterType)).ToArray());
    }

    public static int Main(string[] words)
    {
        int calls = int.Parse(words[0]), answers = 0;
        random = new Random(int.Parse(words[1]));
        for (int call = 0; call < calls; call++)
        {
            if (!kept.Any(each => each is Map) || random.Next(20) == 0)
                kept.Insert(0, Map.FromRows(rows, new MapOptions { Rule = (Rule)random.Next(5) }));
            if (kept.Count > 40)
                kept.RemoveAt(random.Next(kept.Count));
            try
            {
                object made = Call();
                answers++;
                if (made != null && types.Contains(made.GetType()))
                    kept.Add(made);
            }
            catch (Exception error)
            {
                Exception inner = error is TargetInvocationException ? error.InnerException : error;
                if (!(inner is CairnException || inner is ArgumentException ||
                    inner is InvalidOperationException))
                {
                    Console.WriteLine("call " + call + ": " + inner);
                    return 1;
                }
            }
        }
        Console.WriteLine(calls + " calls, " + answers + " of them answered");
        return answers > calls / 50 ? 0 : 1;
    }
}
