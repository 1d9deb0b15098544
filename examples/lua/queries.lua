-- Reads a map and a scenario, builds a table and answers 500 queries; then what a query between two
-- neighbours takes, where hardly anything is left but the call.
--
--     LUA_PATH='lua/?.lua' CAIRN_LIBRARY=libcairn.so luajit queries.lua MAP SCEN
local cairn = require 'cairn'

local QUERIES, ROUNDS, TIMES = 500, 9, 20000

if #arg ~= 2 then
    io.stderr:write('usage: luajit queries.lua MAP SCEN\n')
    os.exit(2)
end
local map = cairn.load_map(arg[1])
local queries = map:scenario(arg[2])
local search = map:build():search()
for index = 0, QUERIES - 1 do
    local query = queries[math.floor(index * #queries / QUERIES) + 1]
    print(search:run(query.start, query.goal).cost)
end

local step = map:steps(queries[1].start)[1]
local rounds = {}
for round = 1, ROUNDS do
    local begun = os.clock()
    for _ = 1, TIMES do
        search:run(step.from, step.to)
    end
    rounds[round] = (os.clock() - begun) / TIMES * 1e6
end
table.sort(rounds)
print(('time %.3f'):format(rounds[(ROUNDS + 1) / 2]))
