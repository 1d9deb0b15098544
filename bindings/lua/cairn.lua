--- Cairn for LuaJIT: shortest paths on grids and graphs, by the library's own calls.
--
--     local cairn = require 'cairn'
--     local map = cairn.load_map('town.map')
--     local search = map:build{landmark_count = 16}:search()
--     local path = search:run(map:node(3, 3), map:node(250, 215))
--
-- Nodes are numbers from 0, costs whole numbers in the metric of the map, lengths straight steps.
-- Options are the members of the C structs, constants those of the headers without CAIRN_. Arrays
-- are cdata that belong to Lua and count from 0. What the library refuses is an error whose text
-- says where and why; so are arguments of wrong types and numbers out of range.
local ffi = require 'ffi'
local declared = require 'cairn_declarations'
local is_there, lib = pcall(ffi.load, os.getenv 'CAIRN_LIBRARY' or 'cairn')
if not is_there then
    error('libcairn was not found: set CAIRN_LIBRARY to its file (' .. lib .. ')', 0)
end

local UINT32 = 4294967295
local M = {UNREACHABLE = UINT32, NO_NODE = UINT32, NO_COMPONENT = UINT32}
for name, value in pairs(declared.constants) do
    M[name:gsub('^CAIRN_', '')] = value
end

-- ------------------------------------------------------------------------------- arguments --

local function whole(value, most, what)
    if type(value) ~= 'number' or value ~= math.floor(value) or value < 0 or value > most then
        error((what or 'a number') .. ': expected a whole number from 0 to ' .. most ..
            ', found ' .. tostring(value), 0)
    end
    return value
end

local function signed(value, what)
    if type(value) ~= 'number' or value ~= math.floor(value) or value < -2 ^ 31 or
            value >= 2 ^ 31 then
        error((what or 'a number') .. ': expected a whole number of 32 bits, found ' ..
            tostring(value), 0)
    end
    return value
end

local function text(value, what)
    if type(value) ~= 'string' then
        error((what or 'a text') .. ': expected a string, found ' .. type(value), 0)
    end
    return value
end

-- The name of a file, which C reads up to its first zero byte.
local function file_name(value, what)
    if text(value, what or 'a path'):find('\0', 1, true) then
        error((what or 'a path') .. ': expected a string without a zero byte', 0)
    end
    return value
end

local function list(value, what)
    if type(value) ~= 'table' then
        error((what or 'a list') .. ': expected a table, found ' .. type(value), 0)
    end
    return value
end

-- The items of a list of this length; `index` is the place of that in another one.
local function items(value, count, names, what, index)
    if #list(value, what) ~= count then
        error(what .. (index and ' ' .. index or '') .. ': expected ' .. names ..
            ', found a table of ' .. #value, 0)
    end
    return unpack(value, 1, count)
end

-- An error for what a table holds beside these names.
local function hold_only(values, names, what, index)
    for name in pairs(values) do
        if not names[name] then
            error(what .. (index and ' ' .. index or '') .. ': there is no ' .. tostring(name), 0)
        end
    end
end

local set = {
    bool = function(value) return value and true or false end,
    number = function(value, name) return whole(value, UINT32, name) end,
    large = function(value, name) return whole(value, 2 ^ 53, name) end,
    enum = function(value, name, most) return whole(value, most, name) end,
    cairn_metric = function(value, name)
        local straight, diagonal = items(value, 2, '{straight, diagonal}', name)
        return ffi.new('cairn_metric', whole(straight, UINT32, name),
            whole(diagonal, UINT32, name))
    end,
}

-- An error for an option that is not among the members of a struct, nor among the special ones.
local function no_option(name, kind, special, withheld)
    local names = {}
    for _, known in ipairs{declared.members[kind], special} do
        for option in pairs(known) do
            names[#names + 1] = not withheld[option] and option or nil
        end
    end
    table.sort(names)
    error('there is no option ' .. tostring(name) .. ': expected ' .. table.concat(names, ', '), 0)
end

-- A struct with the members that a table names, but for those withheld; members that are addresses
-- are special, and set by callers.
local function options(kind, values, special, withheld)
    local struct = ffi.new(kind)
    special, withheld = special or {}, withheld or {}
    struct.size = ffi.sizeof(kind)
    for name, value in pairs(values == nil and {} or list(values, 'options')) do
        local member = not withheld[name] and declared.members[kind][name]
        if member then
            struct[name] = set[member[1]](value, name, member[2])
        elseif not special[name] then
            no_option(name, kind, special, withheld)
        end
    end
    return struct
end

local STATUS = declared.constants

ffi.cdef 'char *strerror(int number);'

-- The error of a call on a file, with what the system said where the library does not know it.
local function with_reason(problem, number)
    problem = problem or ffi.new('cairn_error', {status = STATUS.CAIRN_E_IO})
    if problem.found[0] == 0 and number ~= 0 then
        local reason = ffi.string(ffi.C.strerror(number))
        ffi.copy(problem.found, reason:sub(1, ffi.sizeof(problem.found) - 1))
    end
    return problem
end

local function check(status, problem)
    status = tonumber(status)
    if status == STATUS.CAIRN_OK or status == STATUS.CAIRN_MORE then
        return status == STATUS.CAIRN_OK
    end
    if status == STATUS.CAIRN_E_IO then
        problem = with_reason(problem, ffi.errno())
    end
    local words = lib.cairn_status_text(status)
    if problem and tonumber(problem.status) == status then
        local size = tonumber(lib.cairn_error_text(problem, nil, nil, 0)) + 1
        words = ffi.new('char[?]', size)
        lib.cairn_error_text(problem, nil, words, size)
    end
    error(ffi.string(words), 0)
end

-- What a call of pcall gave, where errors name the file.
local function of_file(path, is_done, ...)
    if not is_done then
        error(path .. ': ' .. tostring((...)), 0)
    end
    return ...
end

-- ------------------------------------------------------------------------------- ownership --

-- An object of the library, freed when neither Lua nor another object of the library needs it: the
-- collector may meet them in any order.
local function release(record)
    record.users = record.users - 1
    if record.users == 0 then
        record.free(record.pointer)
        for _, parent in ipairs(record.parents) do
            release(parent)
        end
    end
end

-- What belongs to an object, by the object: programs do not reach it.
local hidden = setmetatable({}, {__mode = 'k'})

-- Parents are counted before anything is allocated, since that may collect the objects that hold
-- them.
local function own(class, pointer, free, parents, rest)
    for index = 1, parents and #parents or 0 do
        parents[index].users = parents[index].users + 1
    end
    local record = {pointer = pointer, free = free, parents = parents or {}, users = 1}
    local object = setmetatable({}, class)
    rest = rest or {}
    rest.record, rest.pointer = record, pointer
    -- The cell dies with the object, and its finalizer lets go of the record.
    rest.cell = ffi.gc(ffi.new 'char[1]', function() release(record) end)
    hidden[object] = rest
    return object
end

local function class(name)
    local made = {}
    made.__index = made
    made.__metatable = name
    made.__tostring = function() return 'cairn.' .. name end
    return made
end

local Map, Table, Search, Bound, Flood = class 'Map', class 'Table', class 'Search', class 'Bound',
    class 'Flood'
local Flow, World, Path = class 'Flow', class 'World', class 'Path'

-- To be called last of all with what is hidden behind an object whose memory a call reads or the
-- lines behind it: a temporary one, whose method ends in another call, is met by the collector
-- before.
local function keep_alive(found)
    found.is_used = true
end

-- For objects whose memory is Lua's.
local function nothing() end

-- What is hidden behind an object of a class; an error for anything else.
local function of(object, kind)
    local found = type(object) == 'table' and hidden[object]
    if not found or found.class ~= kind then
        error('expected a ' .. kind.__metatable .. ', found ' .. type(object), 0)
    end
    return found
end

local function pointer_or_nil(object, kind)
    return object ~= nil and of(object, kind).pointer or nil
end

-- ------------------------------------------------------------------------------------ maps --

local function new_map(pointer, parents)
    return own(Map, pointer, lib.cairn_map_free, parents,
        {class = Map, count = tonumber(lib.cairn_map_node_count(pointer)),
            width = tonumber(lib.cairn_map_width(pointer)),
            height = tonumber(lib.cairn_map_height(pointer))})
end

-- The struct, and what must live as long as it is used.
local function map_options(values)
    local made = options('cairn_map_options', values, {terrain = true, heights = true})
    local kept = {}
    values = values or {}
    if values.terrain ~= nil then
        kept.alphabet = ffi.new 'cairn_alphabet'
        lib.cairn_alphabet_init(kept.alphabet)
        local problem, words = ffi.new 'cairn_error', text(values.terrain, 'terrain')
        check(lib.cairn_alphabet_parse(words, #words, kept.alphabet, problem), problem)
        made.alphabet = kept.alphabet
    end
    if values.heights ~= nil then
        local heights = list(values.heights, 'heights')
        hold_only(heights, {width = true, height = true, cells = true, climb = true,
            descend = true}, 'heights')
        local width = whole(heights.width, 65535, 'width')
        local height = whole(heights.height, 65535, 'height')
        if #list(heights.cells, 'cells') ~= width * height then
            error('heights: expected width * height cells', 0)
        end
        kept.cells = ffi.new('uint16_t[?]', math.max(1, width * height))
        for index = 1, width * height do
            kept.cells[index - 1] = whole(heights.cells[index], 65535, 'height')
        end
        kept.heights = ffi.new('cairn_heights', width, height, kept.cells,
            whole(heights.climb or 0, UINT32, 'climb'),
            whole(heights.descend or 0, UINT32, 'descend'))
        made.heights = kept.heights
    end
    return made, kept
end

-- A call whose last arguments are where the map goes and what was wrong.
local function make_map(call, values, ...)
    local chosen, kept = map_options(values)
    local made, problem = ffi.new 'cairn_map *[1]', ffi.new 'cairn_error'
    local arguments, count = {...}, select('#', ...)
    arguments[count + 1], arguments[count + 2], arguments[count + 3] = chosen, made, problem
    local status = call(unpack(arguments, 1, count + 3))
    kept = nil
    check(status, problem)
    return new_map(made[0])
end

-- The options without the places, and the places.
local function apart(values)
    local others = {}
    for name, value in pairs(values ~= nil and list(values, 'options') or {}) do
        others[name] = value
    end
    others.places = nil
    return others, values and values.places
end

--- A grid from a .map file, or a graph from a .gr file, with its .co file in options.places.
function M.load_map(path, values)
    local others, places = apart(values)
    file_name(path)
    if places ~= nil then
        file_name(places, 'places')
        return of_file(path, pcall(make_map, lib.cairn_roads_load, others, path, places))
    end
    return of_file(path, pcall(make_map, lib.cairn_map_load, others, path))
end

--- The same from the text of a file.
function M.parse_map(words, values)
    local others, places = apart(values)
    text(words)
    if places ~= nil then
        text(places, 'places')
        return make_map(lib.cairn_roads_parse, others, words, #words, places, #places)
    end
    return make_map(lib.cairn_map_parse, others, words, #words)
end

--- A grid from equally long rows of letters.
function M.map_from_rows(rows, values)
    local width = #text(list(rows, 'rows')[1], 'a row')
    for _, row in ipairs(rows) do
        if #text(row, 'a row') ~= width then
            error('rows of different lengths', 0)
        end
    end
    return make_map(lib.cairn_map_from_letters, values, width, #rows, table.concat(rows))
end

--- A graph from arcs {from, to, cost}, with coordinates {x, y} of its nodes or without.
function M.map_from_arcs(node_count, arcs, places)
    whole(node_count, M.NODES_MAX, 'node_count')
    local made = ffi.new('cairn_arc[?]', math.max(1, #list(arcs, 'arcs')))
    for index = 1, #arcs do
        local from, to, cost = items(arcs[index], 3, '{from, to, cost}', 'arc', index)
        made[index - 1] = ffi.new('cairn_arc', whole(from, UINT32), whole(to, UINT32),
            whole(cost, UINT32))
    end
    local x, y
    if places ~= nil then
        if #list(places, 'places') ~= node_count then
            error('expected a place for every node', 0)
        end
        x, y = ffi.new('int32_t[?]', node_count), ffi.new('int32_t[?]', node_count)
        for index = 1, node_count do
            local at, beside = items(places[index], 2, '{x, y}', 'place', index)
            x[index - 1], y[index - 1] = signed(at, 'a place'), signed(beside, 'a place')
        end
    end
    local out, problem = ffi.new 'cairn_map *[1]', ffi.new 'cairn_error'
    check(lib.cairn_map_from_arcs(node_count, made, #arcs, x, y, nil, out, problem), problem)
    return new_map(out[0])
end

-- A node of the map: a number, or a column and a row.
local function node_of(map, node, what)
    return whole(node, map.count - 1, what or 'a node')
end

local function nodes_of(map, nodes)
    if type(nodes) == 'number' then
        nodes = {nodes}
    end
    local made = ffi.new('cairn_node[?]', math.max(1, #list(nodes, 'nodes')))
    for index = 1, #nodes do
        made[index - 1] = node_of(map, nodes[index])
    end
    return made, #nodes
end

function Map:width() return of(self, Map).width end
function Map:height() return of(self, Map).height end
function Map:node_count() return of(self, Map).count end

-- Calls of a map alone that give a number, or whether something is so.
for name, call in pairs {
    open_count = 'cairn_map_open_count', arc_count = 'cairn_map_arc_count',
    kind = 'cairn_map_kind_of', rule = 'cairn_map_rule', unit = 'cairn_map_unit',
    memory = 'cairn_map_memory', version = 'cairn_map_version',
} do
    Map[name] = function(self) return tonumber(lib[call](of(self, Map).pointer)) end
end

function Map:is_directed() return lib.cairn_map_is_directed(of(self, Map).pointer) end
--- 64 bits, as cdata.
function Map:hash() return lib.cairn_map_hash(of(self, Map).pointer) end

--- What a straight and a diagonal step cost.
function Map:metric()
    local metric = lib.cairn_map_metric(of(self, Map).pointer)
    return metric.straight, metric.diagonal
end

function Map:set_metric(straight, diagonal)
    check(lib.cairn_map_set_metric(of(self, Map).pointer,
        ffi.new('cairn_metric', whole(straight, UINT32), whole(diagonal, UINT32))))
end

--- The node of a cell; an error outside of the grid.
function Map:node(x, y)
    local found = lib.cairn_node_at(of(self, Map).pointer, whole(x, UINT32, 'x'),
        whole(y, UINT32, 'y'))
    if found == UINT32 then
        error('there is no cell ' .. x .. ',' .. y, 0)
    end
    return found
end

--- Column and row of a node.
function Map:xy(node)
    local x, y = ffi.new 'uint32_t[1]', ffi.new 'uint32_t[1]'
    lib.cairn_node_xy(of(self, Map).pointer, node_of(of(self, Map), node), x, y)
    return x[0], y[0]
end

function Map:axial(node)
    local q, r = ffi.new 'int32_t[1]', ffi.new 'int32_t[1]'
    lib.cairn_node_axial(of(self, Map).pointer, node_of(of(self, Map), node), q, r)
    return q[0], r[0]
end

function Map:node_at_axial(q, r)
    local found = lib.cairn_node_at_axial(of(self, Map).pointer, signed(q, 'q'), signed(r, 'r'))
    return found ~= UINT32 and found or nil
end

--- The coordinates of a node of a graph; nil where there are none.
function Map:place(node)
    local x, y = ffi.new 'int32_t[1]', ffi.new 'int32_t[1]'
    if lib.cairn_node_place(of(self, Map).pointer, node_of(of(self, Map), node), x, y) then
        return x[0], y[0]
    end
end

function Map:letter(node)
    return string.char(
        lib.cairn_map_letter(of(self, Map).pointer, node_of(of(self, Map), node)) % 256)
end

--- The letters of all cells in row order, as a string.
function Map:letters()
    local map = of(self, Map)
    local letters = ffi.new('char[?]', math.max(1, map.count))
    check(lib.cairn_map_letters(map.pointer, letters))
    return ffi.string(letters, map.count)
end

--- Writes the map as text: a .map file of a grid, a .gr file of a graph. Rules, costs of letters,
--- heights and coordinates are not in it.
function Map:save(path)
    of_file(path, pcall(check, lib.cairn_map_save(of(self, Map).pointer, file_name(path), nil)))
end

function Map:is_open(node)
    return lib.cairn_map_is_open(of(self, Map).pointer, node_of(of(self, Map), node))
end

function Map:connected(a, b)
    local map = of(self, Map)
    return lib.cairn_connected(map.pointer, node_of(map, a), node_of(map, b))
end

local function steps(map, call, node)
    local count = call(map.pointer, node_of(map, node), nil, 0)
    local room, found = ffi.new('cairn_arc[?]', math.max(1, count)), {}
    call(map.pointer, node, room, count)
    for index = 0, count - 1 do
        found[index + 1] = {from = room[index].from, to = room[index].to, cost = room[index].cost}
    end
    return found
end

--- The steps that leave a node, and those that lead to it: {from, to, cost} each.
function Map:steps(node) return steps(of(self, Map), lib.cairn_steps, node) end
function Map:steps_to(node) return steps(of(self, Map), lib.cairn_steps_to, node) end

--- Whether the straight line between the centres of two cells is free.
function Map:sight(a, b)
    local map = of(self, Map)
    return lib.cairn_sight(map.pointer, node_of(map, a), node_of(map, b))
end

--- A cost in straight steps.
function Map:length(cost) return lib.cairn_length(of(self, Map).pointer, whole(cost, UINT32)) end

function Map:clone()
    local made = ffi.new 'cairn_map *[1]'
    check(lib.cairn_map_clone(of(self, Map).pointer, made))
    return new_map(made[0])
end

local function anchor_of(anchor) return whole(anchor or 0, M.ANCHOR_MIDDLE, 'an anchor') end

--- The map for units of size x size cells, which follows the edits of this one and keeps it. It
-- cannot be edited by itself; a clone of it can.
function Map:for_units(size, anchor)
    local map, made = of(self, Map), ffi.new 'cairn_map *[1]'
    check(lib.cairn_map_for_units(map.pointer, whole(size, UINT32, 'size'), anchor_of(anchor),
        made))
    return new_map(made[0], {map.record})
end

--- The size of the units that the map is for; 1 for other maps.
function Map:unit_size() return lib.cairn_map_unit_size(of(self, Map).pointer) end

--- The cells of the unit that stands at a node: a list, empty where it would reach beyond the map.
function Map:unit_cells(anchor)
    local map, found = of(self, Map), {}
    local node, room = node_of(map, anchor), self:unit_size() ^ 2
    local cells = ffi.new('cairn_node[?]', room)
    for index = 1, lib.cairn_unit_cells(map.pointer, node, cells, room) do
        found[index] = cells[index - 1]
    end
    return found
end

--- The nodes at which a unit would share a cell with the one that stands at node `at` of `others`,
-- a map of the same cells for units of any size: a list of what a search has to avoid for that
-- unit.
function Map:unit_anchors(others, at)
    local map, other, found = of(self, Map), of(others, Map), {}
    local node, room = node_of(map, at), (self:unit_size() + others:unit_size() - 1) ^ 2
    local anchors = ffi.new('cairn_node[?]', room)
    for index = 1, lib.cairn_unit_anchors(map.pointer, other.pointer, node, anchors, room) do
        found[index] = anchors[index - 1]
    end
    return found
end

--- For every node the number of its component, NO_COMPONENT for a blocked cell: an array of
-- node_count; and how many there are. Number 0 is the largest one; strongly connected ones differ
-- on maps with one-way cells or arcs.
function Map:components(strongly)
    local map = of(self, Map)
    local numbers = ffi.new('uint32_t[?]', math.max(1, map.count))
    local count = ffi.new('uint32_t[1]')
    check(lib.cairn_map_components(map.pointer, strongly and M.STRONGLY_CONNECTED or M.CONNECTED,
        numbers, count))
    return numbers, count[0]
end

--- For every cell the size of the largest unit that can stand there: an array of node_count.
function Map:clearance(anchor)
    local map = of(self, Map)
    local sizes = ffi.new('uint16_t[?]', math.max(1, map.count))
    check(lib.cairn_clearance(map.pointer, anchor_of(anchor), sizes))
    return sizes
end

--- The open cell nearest to a place, at most so many steps away and, where another node is
-- given, connected with it; nil where there is none.
function Map:nearest_open(node, steps, connected_with)
    local map = of(self, Map)
    local found = lib.cairn_nearest_open(map.pointer, node_of(map, node),
        whole(steps, UINT32, 'steps'),
        connected_with == nil and UINT32 or node_of(map, connected_with))
    return found ~= UINT32 and found or nil
end

-- Makes edits of a map; an error says which of them was refused.
local function edit_map(pointer, edits, count)
    local status, problem = lib.cairn_map_edit(pointer, edits, count), ffi.new 'cairn_error'
    if status ~= STATUS.CAIRN_OK then
        lib.cairn_map_check_edits(pointer, edits, count, problem)
    end
    return status, problem
end

-- The same of a world's draft, which accepts the edits that the published state would.
local function edit_world(pointer, edits, count)
    local status, problem = lib.cairn_world_edit(pointer, edits, count), ffi.new 'cairn_error'
    if status ~= STATUS.CAIRN_OK then
        local view = lib.cairn_world_acquire(pointer)
        lib.cairn_map_check_edits(view.map, edits, count, problem)
        lib.cairn_world_release(pointer, view)
    end
    return status, problem
end

-- What the kinds of edits hold.
local LETTER_EDIT = {true, true, true, width = true, height = true}
local LETTERS_EDIT = {true, true, letters = true, width = true, height = true}
local ARC_EDIT = {from = true, to = true, cost = true}

local function edit_by(call, owner, edits)
    local pointer = owner.pointer
    if type(edits) == 'string' then
        local made, problem = ffi.new 'cairn_edits *[1]', ffi.new 'cairn_error'
        check(lib.cairn_edits_parse(edits, #edits, made, problem), problem)
        local status, refused =
            call(pointer, lib.cairn_edits_items(made[0]), lib.cairn_edits_count(made[0]))
        lib.cairn_edits_free(made[0])
        keep_alive(owner)
        return check(status, refused)
    end
    local structs = ffi.new('cairn_edit[?]', math.max(1, #list(edits, 'edits')))
    for index = 1, #edits do
        local edit = list(edits[index], 'an edit')
        local x, y, letter = unpack(edit, 1, 3)
        local width, height = edit.width or 1, edit.height or 1
        if edit.cost ~= nil then
            hold_only(edit, ARC_EDIT, 'edit', index)
            structs[index - 1] = lib.cairn_arc_cost(whole(edit.from, UINT32, 'from'),
                whole(edit.to, UINT32, 'to'), whole(edit.cost, UINT32, 'cost'))
        elseif edit.letters ~= nil then
            hold_only(edit, LETTERS_EDIT, 'edit', index)
            if #text(edit.letters, 'letters') ~= whole(width, 65535) * whole(height, 65535) then
                error('expected width * height letters', 0)
            end
            structs[index - 1] = lib.cairn_patch_letters(whole(x, UINT32, 'x'),
                whole(y, UINT32, 'y'), width, height, edit.letters)
        else
            hold_only(edit, LETTER_EDIT, 'edit', index)
            if #text(letter, 'letter') ~= 1 then
                error('letter: expected a string of one letter', 0)
            end
            structs[index - 1] = lib.cairn_rectangle(whole(x, UINT32, 'x'), whole(y, UINT32, 'y'),
                whole(width, UINT32), whole(height, UINT32), letter:byte())
        end
    end
    local status, refused = call(pointer, structs, #edits)
    check(status, refused)
    keep_alive(owner)
end

--- Edits: {x, y, letter}, {x, y, letter, width =, height =}, {x, y, letters =, width =, height =}
-- or {from =, to =, cost =}; all of them or, after an error, none. A string has the form of a file.
function Map:edit(edits) edit_by(edit_map, of(self, Map), edits) end

local function costs_by(map, call, owner, nodes)
    local from, count = nodes_of(map, nodes)
    local costs = ffi.new('cairn_cost[?]', math.max(1, map.count))
    check(call(owner.pointer, from, count, costs))
    keep_alive(owner)
    return costs
end

--- Costs from the nearest of some nodes to every node, and the reverse: an array of node_count.
function Map:costs_from(nodes)
    return costs_by(of(self, Map), lib.cairn_costs_from, of(self, Map), nodes)
end

function Map:costs_to(nodes)
    return costs_by(of(self, Map), lib.cairn_costs_to, of(self, Map), nodes)
end

function Map:is_admissible(heuristic)
    return lib.cairn_bound_is_admissible(of(self, Map).pointer, whole(heuristic, 64))
end

function Map:is_consistent(heuristic)
    return lib.cairn_bound_is_consistent(of(self, Map).pointer, whole(heuristic, 64))
end

local function scenario_by(self, call, ...)
    local made, problem = ffi.new 'cairn_scenario *[1]', ffi.new 'cairn_error'
    local arguments, count = {...}, select('#', ...)
    arguments[count + 1], arguments[count + 2], arguments[count + 3] =
        of(self, Map).pointer, made, problem
    check(call(unpack(arguments)), problem)
    local queries, found = lib.cairn_scenario_queries(made[0]), {}
    for index = 0, tonumber(lib.cairn_scenario_count(made[0])) - 1 do
        local query = queries[index]
        found[index + 1] = {start = query.start, goal = query.goal, length = query.length,
            bucket = query.bucket}
    end
    lib.cairn_scenario_free(made[0])
    return found
end

--- The queries of a .scen file, or of a .p2p file for a graph: {start, goal, length, bucket} each.
function Map:scenario(path)
    return of_file(path, pcall(scenario_by, self, lib.cairn_scenario_load, file_name(path)))
end
function Map:parse_scenario(words)
    return scenario_by(self, lib.cairn_scenario_parse, text(words), #words)
end

-- ---------------------------------------------------------------------------------- tables --

local function new_table(map, pointer)
    return own(Table, pointer, lib.cairn_table_free, {of(map, Map).record},
        {class = Table, map = map})
end

--- A table of landmarks: landmark_count, placement, metric, seed ...; `listed` nodes for
-- PLACE_LIST.
function Map:build(values)
    local map = of(self, Map)
    local made = options('cairn_build_options', values, {listed = true}, {listed_count = true,
        pair_count = true, part = true, part_count = true, memory_limit = true})
    local most = M.ROWS_MAX
    if lib.cairn_map_is_directed(map.pointer) and made.step_metric.straight == 0 then
        most = most / 2 -- a row for each direction
    end
    if made.landmark_count > most then
        error('landmark_count: expected 1 to ' .. most .. ', found ' .. made.landmark_count, 0)
    end
    local listed, count
    if values and values.listed ~= nil then
        listed, count = nodes_of(map, values.listed)
        made.listed, made.listed_count = listed, count
    end
    local out = ffi.new 'cairn_table *[1]'
    local status = lib.cairn_table_build(map.pointer, made, out)
    listed = nil
    check(status)
    return new_table(self, out[0])
end

--- Map and table of a file, or of its bytes; options.map is that of a file without its own, or
-- equals that of the file.
local function load_by(call, values, ...)
    values = values ~= nil and list(values, 'options') or {}
    local made = options('cairn_load_options', values, {map = true})
    made.map = pointer_or_nil(values.map, Map)
    local rows, problem = ffi.new 'cairn_table *[1]', ffi.new 'cairn_error'
    local map = values.map == nil and ffi.new 'cairn_map *[1]' or nil
    local arguments, count = {...}, select('#', ...)
    arguments[count + 1], arguments[count + 2] = made, map
    arguments[count + 3], arguments[count + 4] = rows, problem
    check(call(unpack(arguments, 1, count + 4)), problem)
    local ground = map and new_map(map[0]) or values.map
    return ground, new_table(ground, rows[0])
end

function M.load(path, values)
    return of_file(path, pcall(load_by, lib.cairn_load, values, file_name(path)))
end

function M.load_bytes(bytes, values)
    return load_by(lib.cairn_load_bytes, values, text(bytes), #bytes)
end

--- What a table file contains, as the C struct.
function M.outline(path)
    local made, problem = ffi.new 'cairn_outline', ffi.new 'cairn_error'
    of_file(path, pcall(check, lib.cairn_outline_load(file_name(path), made, problem), problem))
    return made
end

function M.outline_bytes(bytes)
    local made, problem = ffi.new 'cairn_outline', ffi.new 'cairn_error'
    check(lib.cairn_outline_load_bytes(text(bytes), #bytes, made, problem), problem)
    return made
end

function Table:map() return of(self, Table).map end

local function both(self)
    local found = of(self, Table)
    return found.pointer, of(found.map, Map).pointer
end

function Table:save(path, values)
    local pointer, map = both(self)
    local chosen = options('cairn_save_options', values)
    of_file(path, pcall(check, lib.cairn_save(map, pointer, file_name(path), chosen)))
end

--- The bytes of a table file, as a string.
function Table:to_bytes(values)
    local pointer, map = both(self)
    local bytes, size = ffi.new 'uint8_t *[1]', ffi.new 'size_t[1]'
    check(lib.cairn_save_bytes(map, pointer, options('cairn_save_options', values), bytes, size))
    local found = ffi.string(bytes[0], size[0])
    lib.cairn_bytes_free(map, bytes[0])
    return found
end

for name, call in pairs {
    row_count = 'cairn_table_row_count', entry_bits = 'cairn_table_entry_bits',
    resident = 'cairn_table_resident', memory = 'cairn_table_memory',
    version = 'cairn_table_version',
} do
    Table[name] = function(self) return tonumber(lib[call](of(self, Table).pointer)) end
end

function Table:counts_steps() return lib.cairn_table_counts_steps(of(self, Table).pointer) end
function Table:map_hash() return lib.cairn_table_map_hash(of(self, Table).pointer) end

function Table:metric()
    local metric = lib.cairn_table_metric(of(self, Table).pointer)
    return metric.straight, metric.diagonal
end

local function row_of(self, row)
    return whole(row, tonumber(lib.cairn_table_row_count(of(self, Table).pointer)) - 1, 'a row')
end

local function place_of(self, node) return node_of(of(of(self, Table).map, Map), node) end

function Table:holds(node)
    return lib.cairn_table_holds(of(self, Table).pointer, place_of(self, node))
end

function Table:direction(row)
    return tonumber(lib.cairn_table_direction(of(self, Table).pointer, row_of(self, row)))
end

--- The landmarks of a row: a list of nodes.
function Table:landmarks(row)
    local rows, nodes, found = of(self, Table), ffi.new 'const cairn_node *[1]', {}
    local count = tonumber(lib.cairn_table_landmarks(rows.pointer, row_of(self, row), nodes))
    for index = 1, count do
        found[index] = nodes[0][index - 1]
    end
    keep_alive(rows)
    return found
end

function Table:cost(row, node)
    return lib.cairn_table_cost(of(self, Table).pointer, row_of(self, row), place_of(self, node))
end

function Table:set_cost(row, node, cost)
    check(lib.cairn_table_set_cost(of(self, Table).pointer, row_of(self, row), place_of(self, node),
        whole(cost, UINT32, 'cost')))
end

function Table:row_state(row)
    local pointer, map = both(self)
    return tonumber(lib.cairn_table_row_state(pointer, map, row_of(self, row)))
end

function Table:clone()
    local made = ffi.new 'cairn_table *[1]'
    check(lib.cairn_table_clone(of(self, Table).pointer, made))
    return new_table(of(self, Table).map, made[0])
end

--- true where every entry is exact, else false and {row, node, stored, possible}.
function Table:verify(threads)
    local pointer, map = both(self)
    local fault = ffi.new 'cairn_fault'
    local status = tonumber(lib.cairn_table_verify(pointer, map, whole(threads or 0, 64), fault))
    if status == STATUS.CAIRN_E_INEXACT then
        return false,
            {row = fault.row, node = fault.node, stored = fault.stored, possible = fault.possible}
    end
    return check(status)
end

local function budget_of(microseconds)
    if microseconds == nil then
        return 0xffffffffffffffffULL
    end
    return 0x8000000000000000ULL + whole(microseconds, UINT32)
end

--- Repairs rows after edits, for so many microseconds or, without a number, until all are exact.
-- False while there is more to do.
function Table:refresh(microseconds)
    local pointer, map = both(self)
    return check(lib.cairn_refresh_step(pointer, map, budget_of(microseconds)))
end

function Table:rebuild()
    local pointer, map = both(self)
    check(lib.cairn_table_rebuild(pointer, map))
end

--- To be called with the path of every search that used the table.
function Table:refresh_as_it_pays(path)
    local pointer, map = both(self)
    return check(lib.cairn_refresh_as_it_pays(pointer, map, of(path, Path).path))
end

local function counts_of(rows)
    local counts, found = lib.cairn_table_refresh_counts(rows), {}
    for name in pairs(declared.members.cairn_refresh_counts) do
        found[name] = tonumber(counts[name])
    end
    return found
end

function Table:refresh_counts() return counts_of(of(self, Table).pointer) end

-- -------------------------------------------------------------------------------- searches --

local function new_search(map, rows, values)
    local made = ffi.new 'cairn_search *[1]'
    check(lib.cairn_search_new(of(map, Map).pointer, pointer_or_nil(rows, Table),
        options('cairn_search_options', values), made))
    local parents = {of(map, Map).record}
    if rows then
        parents[2] = of(rows, Table).record
    end
    return own(Search, made[0], lib.cairn_search_free, parents,
        {class = Search, map = of(map, Map), path = ffi.new 'cairn_path'})
end

function Map:search(values) return new_search(self, nil, values) end
function Table:search(values) return new_search(of(self, Table).map, self, values) end

local function copy(from, count)
    local made = ffi.new('uint32_t[?]', math.max(1, count))
    ffi.copy(made, from, 4 * count)
    return made
end

function Path:is_found() return self.outcome == STATUS.CAIRN_PATH_FOUND end

-- Numbers and arrays of its own, whatever the search does next.
local function path_of(struct)
    local kept = ffi.new('cairn_path', struct)
    local found = setmetatable({
        outcome = tonumber(struct.outcome), cost = struct.cost, length = struct.length,
        node_count = tonumber(struct.node_count), corner_count = tonumber(struct.corner_count),
        expanded = tonumber(struct.expanded), generated = tonumber(struct.generated),
        open_peak = tonumber(struct.open_peak), reopened = tonumber(struct.reopened),
        space = tonumber(struct.space), state = tonumber(struct.state),
        row_count = struct.row_count, guarantee = struct.guarantee / 1000,
        which = tonumber(struct.which),
    }, Path)
    found.nodes = copy(struct.nodes, found.node_count)
    found.corners = copy(struct.corners, found.corner_count)
    -- Copies that programs do not reach, for calls that read them.
    local nodes = copy(struct.nodes, found.node_count)
    local corners = copy(struct.corners, found.corner_count)
    kept.nodes, kept.corners = nodes, corners
    hidden[found] = {class = Path, path = kept, nodes = nodes, corners = corners}
    return found
end

-- The owner stays on the stack until the call is over.
local function pull_by(call, owner, path)
    local struct = of(path, Path).path
    local waypoints = ffi.new('cairn_node[?]', math.max(1, tonumber(struct.corner_count)))
    local count, length = ffi.new 'size_t[1]', ffi.new 'double[1]'
    check(call(owner.pointer, struct, waypoints, count, length))
    return waypoints, tonumber(count[0]), length[0]
end

--- Cells that straight lines at any angle join, along a path of this map: their array, their number
-- and the length of the lines.
function Map:pull(path) return pull_by(lib.cairn_path_pull, of(self, Map), path) end

--- What a path costs on the map as it is now, by its nodes or its corners, and nil. Where a step is
-- no longer legal: nil, and the place in the list, from 0, of the first node that is not reached.
function Map:path_cost(nodes)
    local map = of(self, Map)
    local listed, count = nodes_of(map, nodes)
    local cost, broken = ffi.new 'cairn_cost[1]', ffi.new 'size_t[1]'
    check(lib.cairn_path_cost(map.pointer, listed, count, cost, broken))
    if tonumber(broken[0]) < count then
        return nil, tonumber(broken[0])
    end
    return cost[0], nil
end

--- The same with lines that keep off the nodes that the search avoids.
function Search:pull(path) return pull_by(lib.cairn_search_pull, of(self, Search), path) end

--- The next runs do not enter these nodes or, with as many extra costs, pay for it; {} ends that.
function Search:avoid(nodes, extra)
    local search = of(self, Search)
    local listed, count = nodes_of(search.map, nodes)
    local costs
    if extra ~= nil then
        if #list(extra, 'extra') ~= count then
            error('expected as many extra costs as nodes', 0)
        end
        costs = ffi.new('cairn_cost[?]', math.max(1, count))
        for index = 1, count do
            costs[index - 1] = whole(extra[index], UINT32, 'extra')
        end
    end
    check(lib.cairn_search_avoid(search.pointer, listed, costs, count))
end

-- The search of a world takes the state that was published last, and keeps it while it is paused.
local function let_go(search)
    if search.world then
        lib.cairn_world_release(search.world.pointer, search.view)
        search.is_held = false
    end
end

local function take(search)
    if search.world then
        let_go(search)
        ffi.copy(search.view, lib.cairn_world_acquire(search.world.pointer),
            ffi.sizeof 'cairn_view')
        search.is_held = true
        local status = lib.cairn_search_use(search.pointer, search.view.map, search.view.table)
        if status ~= STATUS.CAIRN_OK then
            let_go(search)
            check(status)
        end
    end
end

local function keep(search)
    if search.world and not search.is_held then
        error('there is no query that paused', 0)
    end
end

-- The answer of a query, or of a part of it.
local function answer(search, status)
    if search.world and (status ~= STATUS.CAIRN_OK or
            search.path.outcome ~= STATUS.CAIRN_PATH_PAUSED) then
        let_go(search)
    end
    check(status)
    local found = path_of(search.path)
    keep_alive(search)
    return found
end

function Search:run(start, goal)
    local search = of(self, Search)
    local from, to = node_of(search.map, start), node_of(search.map, goal)
    take(search)
    return answer(search, lib.cairn_search_run(search.pointer, from, to, search.path))
end

local function to_any(self, call, start, goals)
    local search = of(self, Search)
    local from, nodes, count = node_of(search.map, start), nodes_of(search.map, goals)
    take(search)
    return answer(search, call(search.pointer, from, nodes, count, search.path))
end

local function from_any(self, call, starts, goal)
    local search = of(self, Search)
    local to, nodes, count = node_of(search.map, goal), nodes_of(search.map, starts)
    take(search)
    return answer(search, call(search.pointer, nodes, count, to, search.path))
end

--- To the nearest of several goals, or from the nearest of several starts: path.which, from 0, says
-- which.
function Search:run_to_any(start, goals)
    return to_any(self, lib.cairn_search_run_to_any, start, goals)
end

function Search:run_from_any(starts, goal)
    return from_any(self, lib.cairn_search_run_from_any, starts, goal)
end

--- The same in slices.
function Search:begin_to_any(start, goals)
    return to_any(self, lib.cairn_search_begin_to_any, start, goals)
end

function Search:begin_from_any(starts, goal)
    return from_any(self, lib.cairn_search_begin_from_any, starts, goal)
end

function Search:begin(start, goal)
    local search = of(self, Search)
    local from, to = node_of(search.map, start), node_of(search.map, goal)
    take(search)
    return answer(search, lib.cairn_search_begin(search.pointer, from, to, search.path))
end

function Search:resume(expansions)
    local search, count = of(self, Search), whole(expansions, 2 ^ 53, 'expansions')
    keep(search)
    return answer(search, lib.cairn_search_resume(search.pointer, count, search.path))
end

function Search:resume_for(microseconds)
    local search, time = of(self, Search), whole(microseconds, 2 ^ 53, 'microseconds')
    keep(search)
    return answer(search, lib.cairn_search_resume_for(search.pointer, time, search.path))
end

--- The path of the last run with its cells, of a search whose form is FORM_CORNERS.
function Search:cells()
    local search = of(self, Search)
    check(lib.cairn_search_cells(search.pointer, search.path))
    local found = path_of(search.path)
    keep_alive(search)
    return found
end

--- {state, parent, g, h, f} of a node.
function Search:node_info(node)
    local search, info = of(self, Search), ffi.new 'cairn_node_info'
    check(lib.cairn_search_node_info(search.pointer, node_of(search.map, node), info))
    return {state = tonumber(info.state), parent = info.parent, g = info.g, h = info.h,
        f = tonumber(info.f)}
end

function Search:memory() return tonumber(lib.cairn_search_memory(of(self, Search).pointer)) end

-- Many queries {start, goal} on all processors: a list of paths.
local function search_all(map, rows, pairs_of_nodes, values)
    local ground, count = of(map, Map), #list(pairs_of_nodes, 'queries')
    local queries = ffi.new('cairn_query[?]', math.max(1, count))
    for index = 1, count do
        local query = list(pairs_of_nodes[index], 'a query')
        local start, goal = query.start, query.goal
        if start == nil then
            start, goal = items(query, 2, '{start, goal}', 'query', index)
        end
        queries[index - 1].start = node_of(ground, start)
        queries[index - 1].goal = node_of(ground, goal)
    end
    local made = ffi.new 'cairn_batch *[1]'
    check(lib.cairn_search_batch(ground.pointer, pointer_or_nil(rows, Table),
        queries, count, options('cairn_search_options', values), 0, made))
    local paths, found = lib.cairn_batch_paths(made[0]), {}
    for index = 1, tonumber(lib.cairn_batch_count(made[0])) do
        found[index] = path_of(paths[index - 1])
    end
    lib.cairn_batch_free(made[0])
    return found
end

function Map:search_all(queries, values) return search_all(self, nil, queries, values) end

function Table:search_all(queries, values)
    return search_all(of(self, Table).map, self, queries, values)
end

-- The costs from every source to every target, row after row, a row for each source: an array.
local function distances(map, rows, sources, targets, threads)
    local ground = of(map, Map)
    local from, from_count = nodes_of(ground, sources)
    local to, to_count = nodes_of(ground, targets)
    local costs = ffi.new('cairn_cost[?]', math.max(1, from_count * to_count))
    check(lib.cairn_distances(ground.pointer, pointer_or_nil(rows, Table), from, from_count,
        to, to_count, whole(threads or 0, 64), costs))
    return costs
end

function Map:distances(sources, targets, threads)
    return distances(self, nil, sources, targets, threads)
end

function Table:distances(sources, targets, threads)
    return distances(of(self, Table).map, self, sources, targets, threads)
end

-- A lower bound on the cost to a goal, for an A* of your own.
local function new_bound(map, rows, goal, heuristic)
    local struct, ground = ffi.new 'cairn_bound', of(map, Map)
    check(lib.cairn_bound_with(ground.pointer, pointer_or_nil(rows, Table), node_of(ground, goal),
        whole(heuristic or 0, 64), struct))
    -- Map and table live as long as it does.
    local parents = {ground.record, rows and of(rows, Table).record}
    return own(Bound, nil, nothing, parents, {class = Bound, bound = struct, map = ground})
end

function Map:bound(goal, heuristic) return new_bound(self, nil, goal, heuristic) end
function Table:bound(goal, heuristic)
    return new_bound(of(self, Table).map, self, goal, heuristic)
end

function Bound:is_current() return lib.cairn_bound_is_current(of(self, Bound).bound) end

local function current(self)
    local bound = of(self, Bound)
    if not lib.cairn_bound_is_current(bound.bound) then
        error('the map or its table changed since the bound was made', 0)
    end
    return bound
end

function Bound:at(node)
    local bound = current(self)
    return lib.cairn_bound_at(bound.bound, node_of(bound.map, node))
end

--- The bounds of many nodes: an array.
function Bound:of_nodes(nodes)
    local bound = current(self)
    local asked, count = nodes_of(bound.map, nodes)
    local found = ffi.new('cairn_cost[?]', math.max(1, count))
    check(lib.cairn_bounds_at(bound.bound, asked, count, found))
    return found
end

function Map:flood()
    local made = ffi.new 'cairn_flood *[1]'
    check(lib.cairn_flood_new(of(self, Map).pointer, made))
    return own(Flood, made[0], lib.cairn_flood_free, {of(self, Map).record},
        {class = Flood, map = of(self, Map), limits = {}})
end

--- How far floods and fields go from now on: to costs of at most `most`, and until all nodes of a
--- list are reached; without arguments everywhere.
function Flood:limit(most, nodes)
    local flood = of(self, Flood)
    local until_, count = nodes_of(flood.map, nodes or {})
    most = whole(most or 0xffffffff, 0xffffffff, 'most')
    check(lib.cairn_flood_limit(flood.pointer, most, until_, count))
    flood.limits.are_set = most ~= 0xffffffff or count > 0
end

function Flood:costs_from(nodes)
    return costs_by(of(self, Flood).map, lib.cairn_flood_from, of(self, Flood), nodes)
end

function Flood:costs_to(nodes)
    return costs_by(of(self, Flood).map, lib.cairn_flood_to, of(self, Flood), nodes)
end

--- For every node the step towards the nearest target, for flow_next.
function Flood:flow_to(nodes)
    local flood = of(self, Flood)
    local targets, count = nodes_of(flood.map, nodes)
    local flow = ffi.new('uint8_t[?]', math.max(1, flood.map.count))
    check(lib.cairn_flood_flow(flood.pointer, targets, count, flow, nil))
    return flow
end

--- The same as a Flow, which follows edits of the map.
function Flood:follow(nodes)
    local flood = of(self, Flood)
    local targets, count = nodes_of(flood.map, nodes)
    local size = math.max(1, flood.map.count)
    local flow = own(Flow, nil, nothing, {flood.record}, {class = Flow, map = flood.map,
        flood = flood.pointer, limits = flood.limits, targets = targets, target_count = count,
        steps = ffi.new('uint8_t[?]', size), costs = ffi.new('cairn_cost[?]', size)})
    flow:repair()
    return flow
end

--- The field after the edits since it was made or repaired.
function Flow:repair()
    local flow = of(self, Flow)
    local status
    if flow.hash and not flow.was_limited then -- else what lies beyond the limit is not known
        status = lib.cairn_flow_repair(flow.flood, flow.targets, flow.target_count, flow.hash,
            flow.steps, flow.costs)
    else
        status = lib.cairn_flood_flow(flow.flood, flow.targets, flow.target_count, flow.steps,
            flow.costs)
    end
    if status == STATUS.CAIRN_OK then
        flow.hash = lib.cairn_map_hash(flow.map.pointer)
        flow.was_limited = flow.limits.are_set
    elseif status ~= STATUS.CAIRN_E_ARGUMENT then
        flow.hash = nil -- and the next repair computes the whole
    end
    check(status)
end

local function filled(self)
    local flow = of(self, Flow)
    if not flow.hash then
        error('the field could not be repaired', 0)
    end
    return flow
end

--- Where the field leads from a node; nil: nowhere.
function Flow:next(node)
    local flow = filled(self)
    local found = lib.cairn_flow_next(flow.map.pointer, flow.steps, node_of(flow.map, node))
    return found ~= UINT32 and found or nil
end

--- What Flood:costs_to and Flood:flow_to give: arrays that the next repair changes.
function Flow:costs() return filled(self).costs end
function Flow:steps() return filled(self).steps end

--- Where a flow field leads from a node; nil: nowhere.
function Map:flow_next(flow, node)
    local map = of(self, Map)
    if type(flow) ~= 'cdata' or not ffi.istype('uint8_t[?]', flow) or
            ffi.sizeof(flow) ~= math.max(1, map.count) then
        error('expected a flow field of this map', 0)
    end
    local found = lib.cairn_flow_next(map.pointer, flow, node_of(map, node))
    return found ~= UINT32 and found or nil
end

-- ---------------------------------------------------------------------------------- worlds --

-- Lets go of an object that something else owns now.
local function give_away(object)
    ffi.gc(hidden[object].cell, nil)
    hidden[object] = nil
end

local function is_alone(ground, rows)
    return ground.record.users == (rows and 2 or 1) and (not rows or rows.record.users == 1)
end

--- A world of a map and its table, or of a map alone: both are edited as a draft, while searches
-- find the state that was published last. It owns them from now on, and nothing else may need them.
-- A query that pauses keeps its state.
function M.world(map, rows)
    local ground, table_of = of(map, Map), rows ~= nil and of(rows, Table) or nil
    if table_of and table_of.map ~= map then
        error('a table of that map is wanted', 0)
    end
    if not is_alone(ground, table_of) then
        collectgarbage() -- what is forgotten needs them no longer
        collectgarbage()
    end
    if not is_alone(ground, table_of) then
        error('what was made from the map and its table, such as searches, floods, flows and '
            .. 'maps for units, has to be forgotten first', 0)
    end
    local made = ffi.new 'cairn_world *[1]'
    check(lib.cairn_world_new(ground.pointer, table_of and table_of.pointer, made))
    local shape = {count = ground.count, width = ground.width, height = ground.height}
    give_away(map)
    for _, parent in ipairs(ground.record.parents) do
        release(parent) -- whose edits it follows no longer
    end
    if rows ~= nil then
        give_away(rows)
    end
    return own(World, made[0], lib.cairn_world_free, {}, {class = World, map = shape})
end

--- How often it was published.
function World:version()
    local world = of(self, World)
    local view = lib.cairn_world_acquire(world.pointer)
    local version = tonumber(view.version)
    lib.cairn_world_release(world.pointer, view)
    return version
end

--- Edits the draft, as Map:edit does. This call and the next ones are an error while a search that
-- paused keeps the state before the published one.
function World:edit(edits) edit_by(edit_world, of(self, World), edits) end

--- Repairs the draft's table; false while there is more to do.
function World:refresh(microseconds)
    return check(lib.cairn_world_refresh_step(of(self, World).pointer, budget_of(microseconds)))
end

--- Queries that begin from now on find the draft.
function World:publish() check(lib.cairn_world_publish(of(self, World).pointer)) end

--- Of the draft's table; nil without one.
function World:refresh_counts()
    local view = ffi.new 'cairn_view'
    check(lib.cairn_world_draft(of(self, World).pointer, view))
    return view.table ~= nil and counts_of(view.table) or nil
end

function World:search(values)
    local world, made = of(self, World), ffi.new 'cairn_search *[1]'
    local chosen = options('cairn_search_options', values)
    local view = lib.cairn_world_acquire(world.pointer)
    local status = lib.cairn_search_new(view.map, view.table, chosen, made)
    lib.cairn_world_release(world.pointer, view)
    check(status)
    local held = ffi.new 'cairn_view'
    local function free(pointer)
        lib.cairn_world_release(world.pointer, held)
        lib.cairn_search_free(pointer)
    end
    return own(Search, made[0], free, {world.record},
        {class = Search, map = world.map, path = ffi.new 'cairn_path', world = world, view = held})
end

M.version = ffi.string(lib.cairn_version())
return M
