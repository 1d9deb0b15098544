// For node, by require(): the modules lie beside this file.
'use strict';
const {readFileSync} = require('node:fs');
const {join} = require('node:path');
const {instantiate, ...rest} = require('./core.cjs');

module.exports = {
    ...rest,
    load: (options = {}) => instantiate(name => readFileSync(join(__dirname, name)), options),
};
