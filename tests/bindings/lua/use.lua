-- What the module promises: kinds of maps, edits, files, errors, objects dropped in any order.
local cairn = require 'cairn'
local rows = {'........', '.@@@@@..', '......@.', '.@@@@.@.', '........'}

for rule = cairn.RULE_8, cairn.RULE_HEX do
    local map = cairn.map_from_rows(rows, {rule = rule})
    local rows_of = map:build{landmark_count = 3}
    local plain, search, costs = map:search(), rows_of:search(), map:costs_from(0)
    for goal = 0, map:node_count() - 1 do
        local cost = map:is_open(goal) and costs[goal] or cairn.UNREACHABLE
        assert(plain:run(0, goal).cost == cost)
        assert(search:run(0, goal).cost == cost)
    end
    map:edit{{6, 1, '@'}, {0, 1, letters = '.@.', width = 3, height = 1}}
    assert(rows_of:refresh() and rows_of:verify())
    local bytes = rows_of:to_bytes()
    local ground, again = cairn.load_bytes(bytes)
    assert(ground:hash() == map:hash() and again:verify() and again:to_bytes() == bytes)
    assert(cairn.outline_bytes(bytes).row_count == rows_of:row_count())
end

local graph = cairn.map_from_arcs(3, {{0, 1, 5}, {1, 2, 6}, {2, 0, 1}}, {{0, 0}, {1, 0}, {2, 0}})
assert(graph:search():run(0, 2).cost == 11)
graph:edit{{from = 0, to = 1, cost = 7}}
assert(graph:search():run(0, 2).cost == 13)

local map = cairn.map_from_rows(rows)
local flow = map:flood():flow_to{39}
local at, steps = 0, 0
while at ~= 39 do
    at, steps = map:flow_next(flow, at), steps + 1
end
assert(steps == map:search():run(0, 39).node_count - 1)
local nearest = map:search():run_to_any(0, {39, 32})
assert(nearest.which == 1)
local avoiding = map:search()
avoiding:avoid{1}
assert(not avoiding:run(0, 1):is_found())
assert(map:sight(0, 7) and not map:sight(0, 39))
local waypoints, count = map:pull(map:search():run(0, 39))
assert(waypoints[0] == 0 and waypoints[count - 1] == 39)

local ok, words = pcall(cairn.parse_map, 'type octile\nheight 1\nwidth 1\nmap\nx\n')
assert(not ok and words:find 'line 5')
assert(not pcall(map.search, map, {nonsense = 1}))
assert(not pcall(map.width, {}))

-- A search outlives the names of what it searches.
local search = cairn.map_from_rows(rows):build():search()
collectgarbage()
collectgarbage()
assert(search:run(0, 7).length == 7)
