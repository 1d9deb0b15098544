// Numbers, texts and words of the caller, checked before they reach the module.
import * as D from './declarations.mjs';

export const UNREACHABLE = D.CAIRN_UNREACHABLE;
export const NO_NODE = D.CAIRN_NO_NODE;
export const NO_COMPONENT = D.CAIRN_NO_COMPONENT;
export const STATUS = Object.fromEntries(D.ENUMS.cairn_status.map((word, value) => [word, value]));

// What the library refused: `status` is a word, `line` and `offset` are where in a text.
export class CairnError extends Error {
    constructor(message, status, line = 0, offset = 0) {
        super(message);
        this.name = 'CairnError';
        Object.assign(this, {status, line, offset});
    }
}

export const LARGEST = {uint8_t: 0xff, uint16_t: 0xffff, uint32_t: 0xffffffff, size_t: 0xffffffff,
    uint64_t: Number.MAX_SAFE_INTEGER};

export function whole(value, largest, what) {
    if (typeof value === 'bigint')
        value = Number(value);
    if (typeof value !== 'number')
        throw new TypeError(`${what}: expected a number, found ${typeof value}`);
    if (!Number.isInteger(value) || value < 0 || value > largest)
        throw new RangeError(
            `${what}: expected a whole number from 0 to ${largest}, found ${value}`);
    return value;
}

export const uint32 = (value, what) => whole(value, 0xffffffff, what);

// A number of 64 bits, which a bigint alone can say where it is large.
export function large(value, what) {
    if (typeof value !== 'bigint')
        return BigInt(whole(value, LARGEST.uint64_t, what));
    if (value < 0n || value >= 2n ** 64n)
        throw new RangeError(`${what}: expected a whole number of 64 bits, found ${value}`);
    return value;
}

export function signed(value, what) {
    if (!Number.isInteger(value) || value !== (value | 0))
        throw new RangeError(`${what}: expected a whole number of 32 bits, found ${value}`);
    return value;
}

export function textBytes(text, what) {
    if (typeof text === 'string')
        return new TextEncoder().encode(text);
    if (ArrayBuffer.isView(text))
        return new Uint8Array(text.buffer, text.byteOffset, text.byteLength);
    if (text instanceof ArrayBuffer)
        return new Uint8Array(text);
    throw new TypeError(`${what}: expected a string or bytes`);
}

export function plainObject(value, what) {
    if (typeof value !== 'object' || value === null)
        throw new TypeError(`${what}: expected an object`);
    return value;
}

// What is left of options when all that there are were taken.
export function noOthers(options, what) {
    for (const name of Object.keys(options))
        throw new TypeError(`${what}: there is no ${name}`);
}

// The items of an array or a typed array of this length; null for anything else.
export function itemsOf(value, length) {
    const isList = Array.isArray(value) || ArrayBuffer.isView(value);
    return isList && value.length === length ? value : null;
}

export function callable(value, what) {
    if (value !== undefined && value !== null && typeof value !== 'function')
        throw new TypeError(`${what}: expected a function`);
    return value;
}

export function letterCode(letter) {
    if (typeof letter !== 'string' || letter.length !== 1 || letter.charCodeAt(0) > 0x7f)
        throw new TypeError('letter: expected a string of one letter');
    return letter.charCodeAt(0);
}

export function enumValue(kind, word, what) {
    const value = D.ENUMS[kind].indexOf(String(word));
    if (value < 0 || typeof word === 'symbol')
        throw new RangeError(`${what}: expected one of ${D.ENUMS[kind].join(', ')}`);
    return value;
}

export const camel = name => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
