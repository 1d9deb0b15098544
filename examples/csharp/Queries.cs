// Reads a map and a scenario, builds a table and answers 500 queries; then what a query between two
// neighbours takes, where hardly anything is left but the call.
//
//     mcs -r:Cairn.dll Queries.cs && mono Queries.exe MAP SCEN
using System;
using System.Diagnostics;
using System.Globalization;
using Cairn;

public static class Queries
{
    private const int Count = 500, Rounds = 9, Times = 20000;

    public static int Main(string[] words)
    {
        if (words.Length != 2)
        {
            Console.Error.WriteLine("usage: Queries MAP SCEN");
            return 2;
        }
        using (Map map = Map.Load(words[0]))
        using (Table table = map.Build())
        using (Search search = table.Search())
        {
            Query[] queries = map.LoadScenario(words[1]);
            for (int i = 0; i < Count; i++)
            {
                Query query = queries[(long)i * queries.Length / Count];
                Console.WriteLine(search.Run(query.Start, query.Goal).Cost);
            }
            Step step = map.Steps(queries[0].Start)[0];
            Console.WriteLine("time " + Microseconds(search, step).ToString("F3",
                CultureInfo.InvariantCulture));
        }
        return 0;
    }

    private static double Microseconds(Search search, Step step)
    {
        var rounds = new double[Rounds];
        for (int round = 0; round < Rounds; round++)
        {
            TimeSpan begun = Process.GetCurrentProcess().TotalProcessorTime;
            for (int time = 0; time < Times; time++)
                search.Run(step.From, step.To);
            TimeSpan took = Process.GetCurrentProcess().TotalProcessorTime - begun;
            rounds[round] = took.TotalMilliseconds * 1000 / Times;
        }
        Array.Sort(rounds);
        return rounds[Rounds / 2];
    }
}
