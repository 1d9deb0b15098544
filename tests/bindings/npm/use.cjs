// The same package by require().
const assert = require('node:assert/strict');
const {load, UNREACHABLE} = require('cairn-path');

load().then(cairn => {
    const map = cairn.mapFromRows(['..@.', '..@.']);
    assert.equal(map.build().search().run(0, 1).length, 1);
    assert.equal(map.search().run(0, 3).cost, UNREACHABLE);
});
