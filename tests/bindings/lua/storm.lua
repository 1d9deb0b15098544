-- Calls everything with arguments of any type and size. An error is an answer, an end of the
-- process is a fault.
--
--     luajit storm.lua CALLS SEED
local ffi = require 'ffi'
local cairn = require 'cairn'
local calls = tonumber(arg[1])
math.randomseed(tonumber(arg[2]))
local random = math.random

local function pick(list) return list[random(#list)] end

local function rows()
    local width, found = random(9), {}
    for row = 1, random(9) do
        local letters = {}
        for x = 1, width do
            letters[x] = pick{'.', '.', '.', '@', random(9) == 1 and 'S' or '.'}
        end
        found[row] = table.concat(letters)
    end
    return found
end

local first = {cairn.map_from_rows{'..@.....', '.@@..@..', '........', '.@..@@@.'}}
local kinds = {}
local names = {landmark_count = 1, placement = 1, metric = 1, rule = 1, charge = 1, terrain = 1,
    seed = 1, space = 1, form = 1, weight = 1, ties = 1, heuristic = 1, nearest = 1,
    never_reopen = 1, codec = 1, resident = 1, listed = 1, map = 1, map_part = 1, row_count = 1,
    memory_limit = 1, expansion_limit = 1, from = 1, to = 1, cost = 1, letters = 1,
    width = 1, height = 1, cells = 1, climb = 1, nonsense = 1}
local keys = {}
for name in pairs(names) do
    keys[#keys + 1] = name
end
table.sort(keys)
local kept = {first[1]}
local numbers = {0, 1, 2, 3, 7, 16, -1, 0.5, 0 / 0, 1 / 0, 255, 256, 65535, 65536, 2 ^ 31,
    2 ^ 32 - 1, 2 ^ 32, 2 ^ 53, 1e300}

local function value(depth)
    local choice = random(depth > 2 and 8 or 14)
    if choice <= 3 then return random(12) - 1 end
    if choice == 4 then return pick(numbers) end
    if choice == 5 then
        return pick{'', 'x', '..', 'block 1 1', 'S=3', 'one-way', '/tmp/no such file'}
    end
    if choice == 6 then return pick{true, false, ffi.new 'int[3]', print, 12ULL} end
    if choice == 7 then return nil end
    if choice == 8 then return pick(kept) end
    if choice == 9 then return rows() end
    if choice == 10 then return {value(depth + 1), value(depth + 1), value(depth + 1)} end
    if choice == 11 then return {{random(9), random(9)}, {random(9), random(9)}} end
    if choice == 12 then return {{random(9) - 1, random(4) - 1, pick{'.', '@'}}} end
    local found = {}
    for _ = 1, random(4) - 1 do
        found[pick(keys)] = value(depth + 1)
    end
    return found
end

-- The classes, by objects of each.
local function methods(object)
    local class = object == cairn and cairn or debug.getmetatable(object).__index
    local found = {}
    for name, call in pairs(class) do
        if type(call) == 'function' then
            found[#found + 1] = name
        end
    end
    table.sort(found)
    return found, class
end

local answers = 0
for index = 1, calls do
    if #kept < 6 or random(20) == 1 then
        kept[#kept + 1] = cairn.map_from_rows({'..@.....', '.@@..@..', '........', '.@..@@@.'},
            {rule = random(5) - 1})
    end
    if random(100) == 1 then
        kept[#kept + 1] = cairn.world(cairn.map_from_rows{'..@.', '....'})
    end
    if #kept > 40 then
        table.remove(kept, random(#kept))
    end
    local object = random(6) == 1 and cairn or pick(kept)
    local found, class = methods(object)
    local name = pick(found)
    local is_bad = name == 'save' or name == '__tostring'
    local arguments = {value(0), value(0), value(0)}
    local ok, made, beside
    if is_bad then
        ok = false
    elseif object == cairn then
        ok, made, beside = pcall(class[name], arguments[1], arguments[2], arguments[3])
    else
        ok, made, beside = pcall(class[name], object, arguments[1], arguments[2], arguments[3])
    end
    if ok then
        answers = answers + 1
        for _, each in ipairs{made, beside} do
            if type(each) == 'table' and type(debug.getmetatable(each)) == 'table' and
                debug.getmetatable(each).__tostring then
                kept[#kept + 1] = each
            end
        end
    end
    if index % 1000 == 0 then
        collectgarbage()
    end
end
print(calls .. ' calls, ' .. answers .. ' of them answered')
os.exit(answers > calls / 50 and 0 or 1)
