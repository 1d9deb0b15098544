// What the assembly promises: kinds of maps, edits, files, errors, objects dropped in any order.
//
//     mono Use.exe
using System;
using System.Linq;
using System.Threading;
using Cairn;

public static class Use
{
    private static readonly string[] rows = { "........", ".@@@@@..", "......@.", ".@@@@.@.",
        "........" };

    private static void Assert(bool holds, string what)
    {
        if (!holds)
            throw new Exception("does not hold: " + what);
    }

    private static void Throws<T>(Action work, string what) where T : Exception
    {
        try
        {
            work();
        }
        catch (T)
        {
            return;
        }
        throw new Exception("does not throw: " + what);
    }

    private static ulong LineOf(Action work)
    {
        try
        {
            work();
        }
        catch (CairnException refused)
        {
            return refused.Line;
        }
        return 0;
    }

    private static uint[] CostsFrom(Map map, uint source)
    {
        var costs = new uint[map.NodeCount];
        map.CostsFrom(new[] { source }, costs);
        return costs;
    }

    // What every .NET has, and nothing of mono's own.
    private static void References()
    {
        var names = typeof(Map).Assembly.GetReferencedAssemblies();
        Assert(names.Length == 1, "the assembly refers to one other");
        Assert(names[0].FullName == "netstandard, Version=2.1.0.0, Culture=neutral, "
               + "PublicKeyToken=cc7b13ffcd2ddd51", "the assembly refers to netstandard 2.1");
    }

    // Searches, edits, refreshing and files under each rule.
    private static void Rules()
    {
        foreach (Rule rule in Enum.GetValues(typeof(Rule)))
        {
            Map map = Map.FromRows(rows, new MapOptions { Rule = rule });
            Table table = map.Build(new BuildOptions { LandmarkCount = 3 });
            Search without = map.Search(), search = table.Search();
            uint[] costs = CostsFrom(map, 0);
            using (Flood flood = map.Flood())
            {
                uint[] limited = new uint[map.NodeCount];
                flood.Limit(costs[3], new uint[] { 2 });
                flood.CostsFrom(new uint[] { 0 }, limited);
                uint ends = Math.Min(costs[2], costs[3]);
                Assert(limited.SequenceEqual(
                    costs.Select(cost => cost <= ends ? cost : Constants.Unreachable)),
                    "a flood ends at a cost and a node");
            }
            for (uint goal = 0; goal < map.NodeCount; goal++)
            {
                uint cost = map.IsOpen(goal) ? costs[goal] : Constants.Unreachable;
                Assert(without.Run(0, goal).Cost == cost, "costs are those of a flood");
                Assert(search.Run(0, goal).Cost == cost, "a table changes no cost");
            }
            map.Change(Edit.Block(6, 1),
                Edit.Letters(0, 1, 3, 1, new[] { (byte)'.', (byte)'@', (byte)'.' }));
            Assert(table.Refresh() && table.Verify(out _), "refreshed rows are exact");
            byte[] bytes = table.ToBytes();
            using (Table again = Table.FromBytes(bytes))
            {
                Assert(again.Map.Hash == map.Hash, "the file has the map");
                Assert(again.ToBytes().SequenceEqual(bytes), "the file of the file is the same");
            }
        }
    }

    // Units of several cells follow their map.
    private static void Units()
    {
        foreach (Rule rule in new[] { Rule.Rule8, Rule.Hex })
        {
            Map ground = Map.FromRows(Enumerable.Repeat("......", 5).ToArray(),
                new MapOptions { Rule = rule });
            Map carts = ground.ForUnits(2);
            Assert(carts.UnitSize == 2 && ground.UnitSize == 1, "maps know their units");
            Assert(carts.UnitCells(5).Length == 0, "no unit reaches beyond the map");
            uint[] cells = rule == Rule.Hex
                ? new uint[] { 7, 8, 14, 15 } : new uint[] { 7, 8, 13, 14 };
            Assert(carts.UnitCells(7).SequenceEqual(cells), "cells below a unit");
            Assert(carts.UnitAnchors(ground, 7).SequenceEqual(new uint[] { 0, 1, 6, 7 })
                && ground.UnitAnchors(carts, 7).SequenceEqual(cells), "anchors of units that meet");
            Table table = carts.Build(new BuildOptions { LandmarkCount = 2 });
            ground.Change(Edit.Rectangle(2, 0, 1, 4, '@'));
            var numbers = new uint[ground.NodeCount];
            Assert(ground.Components(numbers) >= 1 && numbers[2] == Constants.NoComponent
                && numbers[ground.NodeCount - 1] == 0, "components");
            Assert(ground.Components(numbers, Connection.StronglyConnected) >= 1
                && numbers[ground.NodeCount - 1] == 0, "strongly connected ones");
            var sizes = new ushort[ground.NodeCount];
            ground.Clearance(sizes);
            for (uint node = 0; node < ground.NodeCount; node++)
            {
                uint[] body = carts.UnitCells(node);
                bool fits = body.Length == 4 && body.All(ground.IsOpen);
                Assert(carts.IsOpen(node) == fits && sizes[node] >= 2 == fits,
                    "units stand on open cells");
            }
            Assert(table.Refresh() && table.Verify(out _), "tables of units are repaired");
            Map free = carts.Clone();
            Assert(LineOf(() => ground.Change(Edit.Open(0, 0), Edit.Block(60000, 0))) == 2,
                "an edit that is refused is named");
            ground.Dispose();
            Throws<CairnException>(() => carts.Change(Edit.Block(0, 0)), "an edit of a unit map");
            Throws<CairnException>(() => carts.ForUnits(2), "units of units");
            Assert(table.Search().Run(3, 4).IsFound, "units outlive their map");
            free.Change(Edit.Block(0, 0));
            Assert(!free.IsOpen(0) && carts.IsOpen(0), "a clone can be edited");
            free.Dispose();
            Throws<ObjectDisposedException>(() => free.NodeAt(0, 0), "the clone is gone");
        }
    }

    // A world of a map for units takes edits of cells, and leaves the map of cells alone.
    private static void UnitsHaveAWorld()
    {
        Map ground = Map.FromRows(Enumerable.Repeat("....", 3).ToArray());
        var carts = new World(ground.ForUnits(2));
        carts.Change(Edit.Block(1, 1));
        carts.Publish();
        Assert(!carts.Search().Run(0, 2).IsFound, "edits of cells reach units");
        ground.Change(Edit.Block(0, 0));
        Assert(new World(ground).Search().Run(1, 3).IsFound, "the map of cells is the program's");
    }

    // Edits while the collector meets unit maps that nobody names any more.
    private static void UnitsAreCollected()
    {
        Map ground = Map.FromRows(Enumerable.Repeat("........", 8).ToArray());
        for (uint round = 0; round < 200; round++)
        {
            ground.ForUnits(1 + round % 3, Anchor.Middle)
                .Build(new BuildOptions { LandmarkCount = 1 });
            if (round % 7 == 0)
                ground.ForUnits(2).Dispose();
            ground.Change(round % 2 == 0 ? Edit.Block(round % 8, 3) : Edit.Open(round % 8, 3));
            if (round % 50 == 0)
                GC.Collect();
        }
        Throws<CairnException>(() => ground.ForUnits(0), "units without cells");
        Throws<ArgumentException>(() => ground.Clearance(new ushort[3]), "too little room");
    }

    // Costs from many to many, and what stands in for a blocked end.
    private static void Distances()
    {
        Map map = Map.FromRows(Enumerable.Repeat("....@....", 5).ToArray());
        Table table = map.Build(new BuildOptions { LandmarkCount = 2 });
        Search search = table.Search(new SearchOptions { Form = Form.None });
        uint[] sources = { 0, 3, 13 }, targets = { 10, 8, 0 }, byMap = new uint[9],
            byTable = new uint[9];
        map.Distances(sources, targets, byMap);
        table.Distances(sources, targets, byTable, 2);
        uint[] costs = sources
            .SelectMany(a => targets.Select(b => search.Run(a, b).Cost)).ToArray();
        Assert(byMap.SequenceEqual(costs) && byTable.SequenceEqual(costs),
            "costs are those of searches");
        Assert(costs[1] == Constants.Unreachable, "no path leads through the wall");
        Throws<ArgumentException>(() => map.Distances(sources, targets, new uint[8]),
            "too little room");
        Throws<ArgumentException>(() => map.Distances(new uint[] { 99 }, targets, new uint[3]),
            "no such node");
        Assert(map.NearestOpen(13, 1) == 12 && map.NearestOpen(13, 1, 8) == 14,
            "nearest open cells");
        Assert(map.NearestOpen(13, 0) == Constants.NoNode && map.NearestOpen(0, 0) == 0,
            "within some steps");
    }

    private static void Rest()
    {
        var step = new Func<uint, uint, uint, Step>(
            (a, b, c) => new Step { From = a, To = b, Cost = c });
        Map graph = Map.FromArcs(3, new[] { step(0, 1, 5), step(1, 2, 6), step(2, 0, 1) });
        try
        {
            Map.FromArcs(2, new[] { step(0, 1, 5), step(0, 1, 0) });
            Assert(false, "an arc has a cost");
        }
        catch (CairnException wrong)
        {
            Assert(wrong.Line == 2 && wrong.Message.Contains("a cost from 1 to"), "which arc");
        }
        graph.Change(Edit.ArcCost(0, 1, 7));
        Assert(graph.Search().Run(0, 2).Cost == 13, "arcs have new costs");
        Map map = Map.FromRows(rows);
        Assert(map.Search().RunToAny(0, new uint[] { 39, 32 }).Which == 1,
            "the nearest of several goals");
        Path whole = map.Search().Run(0, 39);
        Assert(map.PathCost(whole.Nodes, out int broken) == whole.Cost, "a path costs what it did");
        Search sliced = map.Search();
        Path part = sliced.BeginToAny(0, new uint[] { 39, 32 });
        while (part.Outcome == Outcome.Paused)
            part = sliced.Resume(1);
        Assert(part.Which == 1, "the nearest of several goals in slices");
        part = sliced.BeginFromAny(new uint[] { 39, 32 }, 0);
        while (part.Outcome == Outcome.Paused)
            part = sliced.Resume(1);
        Assert(part.Which == 1, "the nearest of several starts in slices");
        Search avoiding = map.Search();
        avoiding.Avoid(new uint[] { 1 });
        Assert(!avoiding.Run(0, 1).IsFound, "avoided nodes are not entered");
        avoiding.Avoid(new uint[] { 18 });
        uint[] around = avoiding.Pull(avoiding.Run(0, 39), out _);
        Assert(around.Length > 2 && around[0] == 0, "lines keep off avoided nodes");
        Assert(map.Sight(0, 7) && !map.Sight(0, 39), "lines of sight");
        uint[] pulled = map.Pull(map.Search().Run(0, 39), out double length);
        Assert(pulled[0] == 0 && pulled[pulled.Length - 1] == 39 && length > 0,
            "paths pulled straight");
        Throws<CairnException>(() => Map.Parse(new byte[] { 120 }), "no map");
        foreach (Action load in new Action[] { () => Map.Load("no/such.map"),
            () => Table.Load("no/such.map"),
                                               () => map.LoadScenario("no/such.map"),
                                               () => map.Build().Save("no/such.map") })
            try
            {
                load();
                Assert(false, "a file that is not there is refused");
            }
            catch (CairnException problem)
            {
                Assert(problem.Message.StartsWith("no/such.map: "), "errors name the file");
                Assert(problem.Message.ToLower().Contains(": no such file"), "and why");
            }
        Throws<ArgumentException>(() => map.Search().Run(0, 99), "no such node");
        Search search = Map.FromRows(rows).Build().Search();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Assert(search.Run(0, 7).Length == 7, "a search keeps its map");
    }

    // As if it were computed again; a target that is blocked leaves it as it was.
    private static void FieldsFollowEdits(Rule rule)
    {
        Map map = Map.FromRows(rows, new MapOptions { Rule = rule });
        Flood flood = map.Flood();
        uint[] targets = { 39, 32 }, costs = new uint[map.NodeCount];
        byte[] steps = new byte[map.NodeCount];
        Flow flow = flood.Follow(targets);
        foreach (uint wall in new uint[] { 3, 11, 8, 15 })
        {
            map.Change(Edit.Block(wall % 8, wall / 8));
            flow.Repair();
            flood.CostsTo(targets, costs);
            flood.FlowTo(targets, steps);
            Assert(flow.Costs.SequenceEqual(costs) && flow.Steps.SequenceEqual(steps),
                "a field is repaired");
            for (uint node = 0; node < map.NodeCount; node++)
                Assert(flow.Next(node) == map.FlowNext(steps, node), "a field leads on");
        }
        map.Change(Edit.Block(7, 4));
        Throws<CairnException>(() => flow.Repair(), "a target is blocked");
        Assert(flow.Costs.SequenceEqual(costs), "the field stays");
        Throws<ArgumentException>(() => flood.Follow(new uint[] { 99 }), "no such node");
        map.Change(Edit.Open(7, 4));
        flood.Limit(1);
        flow.Repair();
        flood.Limit();
        map.Change(Edit.Block(5, 0));
        flow.Repair();
        flood.CostsTo(targets, costs);
        Assert(flow.Costs.SequenceEqual(costs), "what a limit has left out is known again");
        flood.Dispose();
        Throws<ObjectDisposedException>(() => flow.Repair(), "the flood is gone");
    }

    // Searches run beside edits, each on a state that was published whole.
    private static void Worlds()
    {
        Map map = Map.FromRows(rows);
        Table table = map.Build(new BuildOptions { LandmarkCount = 3 });
        Search early = table.Search();
        Throws<InvalidOperationException>(() => new World(map, table), "a search keeps the map");
        early.Dispose();
        var world = new World(map, table);
        Throws<ObjectDisposedException>(() => map.Search(), "the map is the world's");
        WorldSearch search = world.Search();
        uint open = search.Run(0, 15).Cost, wall = 0;
        for (uint change = 1; change <= 40; change++)
        {
            Edit edit = change % 2 == 1
                ? Edit.Block(6, 1) : Edit.Letters(6, 1, 1, 1, new[] { (byte)'.' });
            world.Change(edit);
            Assert(search.Run(0, 15).Cost == (change % 2 == 1 ? open : wall),
                "drafts are not seen");
            world.Refresh();
            world.Publish();
            Assert(world.Version == change, "publications are counted");
            wall = change == 1 ? search.Run(0, 15).Cost : wall;
            Assert(search.Run(0, 15).Cost == (change % 2 == 1 ? wall : open),
                "what is published is seen");
        }
        Assert(wall > open, "the wall is a detour");
        Assert(LineOf(() => world.Change(Edit.Open(0, 0), Edit.Block(60000, 0))) == 2
            && LineOf(() => world.Change("open 0 0\nblock 60000 0\n")) == 2,
            "an edit of a draft that is refused is named");
        world.Change("open 0 0\n");
        Assert(search.RunToAny(0, new uint[] { 39, 1 }).Which == 1
            && search.RunFromAny(new uint[] { 39, 1 }, 0).Which == 1, "the nearest of several");
        search.Avoid(new uint[] { 1 });
        Assert(!search.Run(0, 1).IsFound, "avoided nodes are not entered");
        search.Avoid(new uint[0]);
        Assert(search.Run(0, 1).IsFound, "an empty list ends that");
        Throws<ArgumentException>(() => search.Avoid(new uint[] { 1 }, new uint[2]), "extras");
        Throws<ArgumentException>(() => search.RunToAny(0, new uint[] { 40 }), "no such node");
        Readers(world, open, wall);
        Throws<ArgumentOutOfRangeException>(() => search.Run(0, 40), "a node beyond the map");
        world.Dispose();
        Assert(search.Run(0, 15).Cost == open, "a search keeps its world");
        search.Dispose();
    }

    private static void Readers(World world, uint open, uint wall)
    {
        bool isOver = false, isWrong = false;
        var threads = Enumerable.Range(0, 3).Select(_ => new Thread(() =>
        {
            using (WorldSearch search = world.Search())
                while (!Volatile.Read(ref isOver))
                {
                    uint cost = search.Run(0, 15).Cost;
                    isWrong |= cost != open && cost != wall;
                }
        })).ToList();
        threads.ForEach(thread => thread.Start());
        for (int change = 0, tries = 0; change < 100 && tries < 1000000; tries++)
            try
            {
                world.Change(change % 2 == 0 ? Edit.Block(6, 1)
                    : Edit.Letters(6, 1, 1, 1, new[] { (byte)'.' }));
                world.Refresh();
                world.Publish();
                change++;
            }
            catch (CairnException busy) when (busy.Status == Status.Busy)
            {
                Thread.Yield();
            }
        Volatile.Write(ref isOver, true);
        threads.ForEach(thread => thread.Join());
        Assert(!isWrong, "every state is whole");
    }

    // Another thread may dispose of what runs: the path that it gave is whole, or there is none.
    private static void DisposedWhileItRuns()
    {
        Map map = Map.FromRows(rows);
        uint[] expected = map.Search().Run(0, 7).Nodes;
        for (int round = 0; round < 300; round++)
        {
            Search search = map.Search();
            var other = new Thread(search.Dispose);
            other.Start();
            try
            {
                while (true)
                    Assert(search.Run(0, 7).Nodes.SequenceEqual(expected), "a path is whole");
            }
            catch (ObjectDisposedException)
            {
            }
            other.Join();
        }
    }

    private static void Refusals()
    {
        Map map = Map.FromRows(rows), other = Map.FromRows(rows);
        using (Table table = other.Build())
            Throws<ArgumentException>(() => new World(map, table), "a table of another map");
        new World(other).Dispose();
        try
        {
            Map.Load("no/such.map");
            Assert(false, "there is no such file");
        }
        catch (CairnException refused)
        {
            Assert(refused.Message.Contains("no such file"), "why a file could not be read");
        }
        try
        {
            other = Map.FromRows(rows);
            Map units = other.ForUnits(2);
            units.Change(Edit.Block(0, 0));
            Assert(false, "a map that follows another takes no edits");
        }
        catch (CairnException refused)
        {
            Assert(refused.Message.Contains("invalid argument"), "a call that says no more");
        }
    }

    public static void Main()
    {
        DisposedWhileItRuns();
        Refusals();
        References();
        Rules();
        Units();
        UnitsHaveAWorld();
        UnitsAreCollected();
        Distances();
        foreach (Rule rule in Enum.GetValues(typeof(Rule)))
            FieldsFollowEdits(rule);
        Worlds();
        Rest();
    }
}
