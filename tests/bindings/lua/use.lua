-- What the module promises: kinds of maps, edits, files, errors, objects dropped in any order.
local cairn = require 'cairn'

-- A search, a flood or a table that only the call knows is not freed before its results are copied.
-- The collector runs as often as it can, and what it frees is so large that reading it then is a
-- crash.
local pause, speed = collectgarbage('setpause', 1), collectgarbage('setstepmul', 1000000)
local maze = {}
for y = 1, 401 do
    maze[y] = y % 2 == 1 and ('.'):rep(401)
        or y % 4 == 2 and ('@'):rep(400) .. '.' or '.' .. ('@'):rep(400)
end
local winding = cairn.map_from_rows(maze)
for _ = 1, 3 do
    local path = winding:search{space = cairn.SPACE_CELLS}:run(0, 401 * 401 - 1)
    assert(path.node_count == 80801 and path.nodes[0] == 0 and path.nodes[80800] == 401 * 401 - 1)
    assert(winding:flood():costs_from(0)[1] == 2378)
    assert(winding:build{landmark_count = 1}:landmarks(0)[1])
    cairn.map_from_rows(maze):edit{{1, 1, '.'}}
end
collectgarbage('setpause', pause)
collectgarbage('setstepmul', speed)

local rows = {'........', '.@@@@@..', '......@.', '.@@@@.@.', '........'}

for rule = cairn.RULE_8, cairn.RULE_HEX do
    local map = cairn.map_from_rows(rows, {rule = rule})
    local rows_of = map:build{landmark_count = 3}
    local without, search, costs = map:search(), rows_of:search(), map:costs_from(0)
    for goal = 0, map:node_count() - 1 do
        local cost = map:is_open(goal) and costs[goal] or cairn.UNREACHABLE
        assert(without:run(0, goal).cost == cost)
        assert(search:run(0, goal).cost == cost)
    end
    map:edit{{6, 1, '@'}, {0, 1, letters = '.@.', width = 3, height = 1}}
    assert(rows_of:refresh() and rows_of:verify())
    local bytes = rows_of:to_bytes()
    local ground, again = cairn.load_bytes(bytes)
    assert(ground:hash() == map:hash() and again:verify() and again:to_bytes() == bytes)
    assert(cairn.outline_bytes(bytes).row_count == rows_of:row_count())
    local apart = rows_of:to_bytes{map_part = cairn.MAP_LEFT_OUT}
    local given, others = cairn.load_bytes(apart, {map = map})
    assert(given == map and others:verify() and not pcall(cairn.load_bytes, apart))
end

local graph = cairn.map_from_arcs(3, {{0, 1, 5}, {1, 2, 6}, {2, 0, 1}}, {{0, 0}, {1, 0}, {2, 0}})
assert(graph:search():run(0, 2).cost == 11)
local _, refused = pcall(cairn.map_from_arcs, 2, {{0, 1, 5}, {0, 2, 5}})
assert(refused == 'line 2: expected nodes of the graph, found "0 to 2"')
graph:edit{{from = 0, to = 1, cost = 7}}
assert(graph:search():run(0, 2).cost == 13)

local map = cairn.map_from_rows(rows)
-- Lists with gaps, and numbers that are not whole or too large, are refused and not filled up or
-- cut off.
local gap = {0, 1, 39}
gap[2] = nil
for _, call in ipairs{
    function() return #gap == 3 and map:costs_from(gap) or error() end,
    function() return map:search_all{{0, 39}, nil, {0, 1}} end,
    function() return map:edit{{1, 0, '@'}, nil, {2, 0, '@'}} end,
    function() return cairn.map_from_arcs(2, {{0, 1, 1}, nil, {1, 0, 1}}) end,
    function() return cairn.map_from_arcs(3, {{0, 1, 1}}, {{0, 0}, nil, {1, 1}}) end,
    function() return cairn.map_from_arcs(1, {}, {{0.5, 0}}) end,
    function() return cairn.map_from_arcs(1, {}, {{0, 2 ^ 31}}) end,
    function() return map:node_at_axial(0.5, 0) end,
    function() return map:node_at_axial(0, 0 / 0) end,
} do
    assert(not pcall(call))
end
assert(map:is_open(1) and cairn.map_from_arcs(1, {}, {{-2 ^ 31, 2 ^ 31 - 1}}):place(0) == -2 ^ 31)
local flow = map:flood():flow_to{39}
local limited, costs = map:flood(), map:costs_from{0}
limited:limit(costs[7], {39})
for node = 0, map:node_count() - 1 do
    local expected = costs[node] <= math.min(costs[7], costs[39]) and costs[node] or 0xffffffff
    assert(limited:costs_from{0}[node] == expected)
end
local at, steps = 0, 0
while at ~= 39 do
    at, steps = map:flow_next(flow, at), steps + 1
end
assert(steps == map:search():run(0, 39).node_count - 1)
local nearest = map:search():run_to_any(0, {39, 32})
assert(nearest.which == 1)
local sliced = map:search()
for _, begin in ipairs{function() return sliced:begin_to_any(0, {39, 32}) end,
                       function() return sliced:begin_from_any({39, 32}, 0) end} do
    local path = begin()
    while path.outcome == cairn.PATH_PAUSED do
        path = sliced:resume(1)
    end
    assert(path.which == 1 and path.cost == nearest.cost)
end
local before = map:search():run(0, 32)
local along = {}
for index = 1, before.node_count do
    along[index] = before.nodes[index - 1]
end
local cost, broken = map:path_cost(along)
assert(cost == before.cost and broken == nil)
assert(not pcall(map.path_cost, map, {0, 17}))
local avoiding = map:search()
avoiding:avoid{1}
assert(not avoiding:run(0, 1):is_found())
avoiding:avoid{18}
assert(select(2, avoiding:pull(avoiding:run(0, 39))) > 2)
assert(map:sight(0, 7) and not map:sight(0, 39))
local waypoints, count = map:pull(map:search():run(0, 39))
assert(waypoints[0] == 0 and waypoints[count - 1] == 39)
-- A search keeps a path for its own use, and is none.
for _, none in ipairs{map:search(), map, {}, 7} do
    assert(not pcall(map.pull, map, none))
    assert(not pcall(map:build().refresh_as_it_pays, map:build(), none))
end

-- A field follows edits as if it were computed again; a target that is blocked leaves it as it was.
for rule = cairn.RULE_8, cairn.RULE_HEX do
    local ground = cairn.map_from_rows(rows, {rule = rule})
    local flood = ground:flood()
    local field = flood:follow{39, 32}
    for _, edit in ipairs{{3, 0, '@', height = 2}, {3, 0, '.', height = 2}, {0, 1, '.', width = 7},
        {7, 1, '@'}} do
        ground:edit{edit}
        field:repair()
        local costs, flow = ground:costs_to{39, 32}, flood:flow_to{39, 32}
        for node = 0, ground:node_count() - 1 do
            assert(field:costs()[node] == costs[node] and field:steps()[node] == flow[node])
            assert(field:next(node) == ground:flow_next(flow, node))
        end
    end
    local before = field:costs()[0]
    ground:edit{{7, 4, '@'}}
    assert(not pcall(field.repair, field) and field:costs()[0] == before)
    ground:edit{{7, 4, '.'}}
    field:repair()
    assert(field:costs()[0] == ground:costs_to{39, 32}[0])
    -- What a limit has left out is known again after it.
    flood:limit(1)
    field:repair()
    flood:limit()
    ground:edit{{3, 1, '@'}}
    field:repair()
    for node = 0, ground:node_count() - 1 do
        assert(field:costs()[node] == ground:costs_to{39, 32}[node])
    end
    flood, ground = nil, nil
    collectgarbage()
    collectgarbage()
    assert(field:next(39) == nil)
end

-- Worlds: drafts are not seen before they are published; a query that pauses keeps its state.
for rule = cairn.RULE_8, cairn.RULE_HEX do
    local model = cairn.map_from_rows(rows, {rule = rule})
    local ground = model:clone()
    local rows_of = ground:build{landmark_count = 3}
    local early = rows_of:search()
    for _, call in ipairs{cairn.load_map, cairn.load, cairn.outline,
        function(path) return ground:scenario(path) end,
        function(path) return rows_of:save(path) end} do
        local done, words = pcall(call, 'no/such.file')
        assert(not done and words:sub(1, 14) == 'no/such.file: ')
    end
    local _, missing = pcall(cairn.load_map, 'no/such.file')
    assert(missing == 'no/such.file: no such file or folder')
    assert(not pcall(cairn.world, ground, rows_of) and not pcall(cairn.world, ground))
    early = rows_of:bound(0)
    assert(not pcall(cairn.world, ground, rows_of))
    early = nil
    local world = cairn.world(ground, rows_of)
    assert(not pcall(ground.search, ground) and not pcall(rows_of.row_count, rows_of))
    assert(not pcall(cairn.world, ground))
    local search, slow = world:search(), world:search{space = cairn.SPACE_CELLS}
    local function check()
        local costs = model:costs_from(0)
        for goal = 0, model:node_count() - 1 do
            assert(search:run(0, goal).cost
                == (model:is_open(goal) and costs[goal] or cairn.UNREACHABLE))
        end
    end
    for change = 1, 20 do
        check()
        local x, y = change * 5 % 8, change * 3 % 5
        local edit = {x, y, (change % 3 == 0 or x + y == 0) and '.' or '@'}
        local before = model:search():run(0, 39).cost
        local path = slow:begin(0, 39)
        world:edit{edit}
        assert(search:run(0, 39).cost == before)
        model:edit{edit}
        world:refresh(50)
        assert(world:refresh())
        world:publish()
        assert(world:version() == change)
        check()
        local pauses = path.outcome == cairn.PATH_PAUSED
        assert(pcall(world.edit, world, {edit}) == not pauses)
        while path.outcome == cairn.PATH_PAUSED do
            path = slow:resume(1)
        end
        assert(path.cost == before and slow:cells().cost == before)
        assert(not pcall(slow.resume, slow, 1))
    end
    assert(world:refresh_counts().cells > 0)
    assert(search:run_to_any(0, {0, 39}).which == 0 and not pcall(search.run, search, 0, 99))
    world = nil
    collectgarbage()
    collectgarbage()
    check()
end
local bare = cairn.world(cairn.map_from_rows{'...'})
bare:edit{{1, 0, '@'}}
bare:publish()
assert(not bare:search():run(0, 2):is_found() and bare:refresh_counts() == nil)

-- A world of a map for units takes edits of cells, and leaves the map of cells alone.
do
    local ground = cairn.map_from_rows{'....', '....', '....'}
    local carts = cairn.world(ground:for_units(2))
    carts:edit{{1, 1, '@'}}
    for _, edits in ipairs{{{0, 0, '.'}, {9, 0, '@'}}, 'open 0 0\nblock 9 0\n'} do
        local is_made, refused = pcall(carts.edit, carts, edits)
        assert(not is_made and refused:find 'line 2: expected cells of the map', refused)
    end
    carts:publish()
    assert(not carts:search():run(0, 2):is_found() and ground:is_open(5))
    ground:edit{{0, 0, '@'}}
    assert(cairn.world(ground):search():run(1, 3):is_found())
end

local function refuses(words, call, ...)
    local is_done, refused = pcall(call, ...)
    assert(not is_done and refused:find(words, 1, true), refused)
end

-- Paths are whole; why a file was not written is said.
do
    local ground = cairn.map_from_rows(rows)
    local rows_of = ground:build{landmark_count = 1}
    local name = os.tmpname()
    for _, path in ipairs{name .. '\0', name .. '\0junk', '\0'} do
        local words = 'a path: expected a string without a zero byte'
        refuses(words, cairn.load_map, path)
        refuses(words, cairn.load_map, path, {places = name})
        refuses('places: expected a string without', cairn.load_map, name, {places = path})
        refuses(words, cairn.load, path)
        refuses(words, cairn.outline, path)
        refuses(words, ground.scenario, ground, path)
        refuses(words, ground.save, ground, path)
        refuses(words, rows_of.save, rows_of, path)
    end
    assert(io.open(name):read '*a' == '')
    os.remove(name)
    for path, reason in pairs{['no/such.file'] = 'No such file or directory',
        [name .. '/below'] = 'No such file or directory', [('x'):rep(300)] = 'File name too long',
        ['/'] = ''} do
        refuses(path .. ': ' .. reason, ground.save, ground, path)
        refuses(path .. ': ' .. reason, rows_of.save, rows_of, path)
    end
    refuses('No such file', rows_of.save, rows_of, 'no/such.file')
    refuses('no/such.file: no such file or folder', cairn.load, 'no/such.file')
end

-- Inner lists have the length that they should, and nothing that is given is dropped.
do
    local graph = function(...) return cairn.map_from_arcs(2, ...) end
    refuses('arc 2: expected {from, to, cost}, found a table of 2', graph, {{0, 1, 5}, {0, 1}})
    refuses('arc 1: expected {from, to, cost}, found a table of 4', graph, {{0, 1, 5, 9}})
    refuses('place 2: expected {x, y}', graph, {}, {{0, 0}, {1, 1, 1}})
    local ground = cairn.map_from_rows(rows)
    refuses('query 2: expected {start, goal}', ground.search_all, ground, {{0, 1}, {0, 1, 2}})
    assert(ground:search_all{{0, 1}, {start = 1, goal = 0}}[2]:is_found())
    for _, metric in ipairs{{10}, {10, 14, 3}} do
        refuses('metric: expected {straight, diagonal}', cairn.map_from_rows, rows,
            {metric = metric})
    end
    local heights = {width = 3, height = 1, cells = {1, 2, 3, 4}}
    refuses('heights: expected width * height cells', cairn.map_from_rows, {'...'},
        {heights = heights})
    heights.cells[4], heights.climbs = nil, 5
    refuses('heights: there is no climbs', cairn.map_from_rows, {'...'}, {heights = heights})
    for _, name in ipairs{'part', 'part_count', 'listed_count', 'pair_count', 'memory_limit'} do
        refuses('there is no option ' .. name, ground.build, ground, {[name] = 1})
    end
    refuses('there is no option landmarks: expected candidate_count, landmark_count, listed, ',
        ground.build, ground, {landmarks = 4})
    refuses('there is no option places', cairn.map_from_rows, rows, {places = ''})
    refuses('there is no option rules', cairn.parse_map, 'p sp 1 0\n',
        {places = 'p aux sp co 1\nv 1 0 0\n', rules = 1})
    for _, edit in ipairs{{1, 1, '@@'}, {1, 1, ''}, {1, 1, '@', 5}, {1, 1, '@', widht = 2},
        {1, 1, '@', letters = '@'}, {1, 1, letters = '@', from = 0},
        {from = 0, to = 1, cost = 1, width = 1}} do
        assert(not pcall(ground.edit, ground, {edit}))
    end
    refuses('edit 2: there is no widht', ground.edit, ground, {{1, 1, '@'}, {1, 1, '@', widht = 2}})
    assert(ground:letters() == table.concat(rows))
    local wide = cairn.map_from_rows{'....'}:flood():flow_to{0}
    refuses('a flow field of this map', ground.flow_next, ground, wide, 0)
    refuses('a flow field of this map', cairn.map_from_rows{'...'}.flow_next,
        cairn.map_from_rows{'...'}, wide, 0)
end

-- How many landmarks there may be, is said.
for terrain, most in pairs{['S=1'] = 256, ['one-way'] = 128, ['S=3'] = 128} do
    local ground = cairn.map_from_rows({'....'}, {terrain = terrain})
    local is_made, refused = pcall(ground.build, ground, {landmark_count = most + 1})
    assert(not is_made and refused == 'landmark_count: expected 1 to ' .. most .. ', found ' ..
        most + 1, refused)
    assert(pcall(ground.build, ground, {landmark_count = most}))
    assert(pcall(ground.build, ground, {landmark_count = terrain == 'one-way' and 128 or 256,
        step_metric = {1, 1}}))
end

-- Components are numbered by size; cells that no way leaves are strongly connected with no other.
do
    local ground = cairn.map_from_rows({'..@..', '..@.>', '..@..'}, {terrain = 'one-way'})
    local numbers, count = ground:components()
    assert(count == 2 and numbers[0] == 0 and numbers[4] == 1 and numbers[9] == 1)
    assert(numbers[2] == cairn.NO_COMPONENT)
    local parts, more = ground:components(true)
    assert(more == 3 and parts[9] == 2 and parts[4] == 1)
end

-- Units of several cells follow their map; costs from many to many; what stands in for a blocked
-- end.
for _, rule in ipairs{cairn.RULE_8, cairn.RULE_HEX} do
    local rows = {'......', '......', '......', '......', '......'}
    local ground = cairn.map_from_rows(rows, {rule = rule})
    local carts = ground:for_units(2)
    assert(carts:unit_size() == 2 and ground:unit_size() == 1 and #carts:unit_cells(5) == 0)
    local cells = table.concat(carts:unit_cells(7), ' ')
    assert(cells == (rule == cairn.RULE_8 and '7 8 13 14' or '7 8 14 15'))
    assert(table.concat(carts:unit_anchors(ground, 7), ' ') == '0 1 6 7')
    assert(#carts:unit_anchors(carts, 14) == 9 and ground:unit_anchors(carts, 14)[1] == 14)
    local rows_of = carts:build{landmark_count = 2}
    ground:edit{{2, 0, '@', height = 4}}
    local sizes = ground:clearance()
    for node = 0, ground:node_count() - 1 do
        local body = carts:unit_cells(node)
        local fits = #body == 4
        for _, cell in ipairs(body) do
            fits = fits and ground:is_open(cell)
        end
        assert(carts:is_open(node) == fits and (sizes[node] >= 2) == fits)
    end
    assert(rows_of:refresh() and rows_of:verify())
    local is_made, refused = pcall(ground.edit, ground, {{0, 0, '@'}, {0, 0, '?'}})
    assert(not is_made and refused:find 'line 2: expected a letter that this map knows, found "%?"')
    ground = nil
    collectgarbage()
    collectgarbage()
    assert(not pcall(carts.edit, carts, {{0, 0, '@'}}))
    assert(not pcall(carts.for_units, carts, 2))
    local free = carts:clone()
    free:edit{{0, 0, '@'}}
    assert(not free:is_open(0) and carts:is_open(0))
end
local level = cairn.map_from_rows{'....', '....', '...@'}
for size = 1, 4 do
    local units = level:for_units(size, cairn.ANCHOR_MIDDLE)
    local sizes = level:clearance(cairn.ANCHOR_MIDDLE)
    for node = 0, level:node_count() - 1 do
        assert(units:is_open(node) == (sizes[node] >= size))
    end
end
assert(not pcall(level.for_units, level, 0) and not pcall(level.for_units, level, 2, 2))

local halves = cairn.map_from_rows{'....@....', '....@....', '....@....', '....@....', '....@....'}
local rows_of = halves:build{landmark_count = 2}
local sources, targets = {0, 3, 13}, {10, 8, 0}
local by_map, by_rows = halves:distances(sources, targets), rows_of:distances(sources, targets, 2)
for i, source in ipairs(sources) do
    for j, target in ipairs(targets) do
        local cost = rows_of:search{form = cairn.FORM_NONE}:run(source, target).cost
        local index = (i - 1) * #targets + j - 1
        assert(by_map[index] == cost and by_rows[index] == cost)
    end
end
assert(by_map[1] == cairn.UNREACHABLE)
assert(not pcall(halves.distances, halves, {99}, targets))
assert(halves:nearest_open(13, 1) == 12 and halves:nearest_open(13, 1, 8) == 14)
assert(halves:nearest_open(13, 0) == nil and halves:nearest_open(0, 0) == 0)

local ok, words = pcall(cairn.parse_map, 'type octile\nheight 1\nwidth 1\nmap\nx\n')
assert(not ok and words:find 'line 5')
assert(not pcall(map.search, map, {nonsense = 1}))
assert(not pcall(map.width, {}))

-- A search outlives the names of what it searches.
local search = cairn.map_from_rows(rows):build():search()
collectgarbage()
collectgarbage()
assert(search:run(0, 7).length == 7)

-- Objects that a call alone holds outlive it, however often memory is collected. (Where it is
-- collected so often, compiled code may wait for finalizers for ever, which it cannot run.)
jit.off()
jit.flush()
do
    local pause, step = collectgarbage('setpause', 100), collectgarbage('setstepmul', 1000000)
    local open = {}
    for row = 1, 40 do open[row] = ('.'):rep(40) end
    local field = cairn.map_from_rows(open)
    local path = field:search():run(0, 1599)
    for _ = 1, 300 do
        assert(field:clone():for_units(2):unit_size() == 2)
        assert(select(2, field:clone():pull(path)) == 2 and
            select(2, field:search():pull(path)) == 2)
    end
    collectgarbage('setpause', pause)
    collectgarbage('setstepmul', step)
    local ok, why = pcall(cairn.world, field, field:clone():build {landmark_count = 1})
    assert(not ok and tostring(why):find 'of that map')
end
jit.on()
