// For browsers: the modules are fetched from beside this file, or come from the caller.
import {instantiate} from './core.mjs';

export {CairnError, UNREACHABLE, NO_NODE, NO_COMPONENT} from './core.mjs';

async function fetched(name) {
    const answer = await fetch(new URL(name, import.meta.url));
    if (!answer.ok)
        throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
    return answer.arrayBuffer();
}

export function load(options = {}) {
    return instantiate(fetched, options);
}
