// For node, by import: the modules lie beside this file.
import {readFileSync} from 'node:fs';
import {instantiate} from './core.mjs';

export {CairnError, UNREACHABLE, NO_NODE, NO_COMPONENT} from './core.mjs';

export function load(options = {}) {
    return instantiate(name => readFileSync(new URL(name, import.meta.url)), options);
}
