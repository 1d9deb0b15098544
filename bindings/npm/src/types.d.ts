
/** No finite cost: there is no path. */
export const UNREACHABLE: number;
export const NO_NODE: number;
export const NO_COMPONENT: number;

/** A node by its number, or the column and the row of a cell. */
export type Place = number | readonly [number, number];
/** One place or several; an array of two numbers is one cell of a grid. */
export type Places = Place | readonly Place[] | Iterable<Place>;
/** Several places: numbers are nodes, also where there are two of them. */
export type PlaceList = number | readonly Place[] | Iterable<Place>;
export type Bytes = ArrayBuffer | ArrayBufferView;
export type Progress = (stage: string, done: number, total: number) => boolean | void;
/** What a straight and a diagonal step cost. */
export type MetricPair = MetricMembers | readonly [number, number];

/** What the library refused. `line` (from 1) and `offset` (in bytes) are where in a text; 0: nowhere. */
export class CairnError extends Error {
    readonly status: Status | 'busy';
    readonly line: number;
    readonly offset: number;
}

export interface HeightsOfCells extends Partial<HeightsMembers> {
    width: number;
    height: number;
    /** width * height numbers of 16 bits in row order. */
    cells: ArrayLike<number> & Iterable<number>;
}

export interface MapOptions {
    rule?: Rule;
    charge?: Charge;
    metric?: MetricPair;
    /** What letters cost: 'S=3,W=blocked,one-way'. */
    terrain?: string | Bytes;
    heights?: HeightsOfCells;
}

export type BuildOptions = Partial<Omit<BuildOptionsMembers,
    'stepMetric' | 'listedCount' | 'pairCount' | 'part' | 'partCount' | 'memoryLimit'>> & {
    stepMetric?: MetricPair;
    listed?: PlaceList;
    pairs?: Iterable<Query>;
    progress?: Progress;
};
export type SearchOptions = Partial<SearchOptionsMembers> & {
    /** Of the bound, in thousandths: 1500 makes paths cost at most 1.5 times the least. */
    weight?: number;
    bound?: (node: number) => number;
    onExpand?: (node: number) => void;
    cancel?: () => boolean;
};
export type SaveOptions = Partial<Omit<SaveOptionsMembers, 'stamp'>> &
    {stamp?: number | bigint; progress?: Progress};
export type LoadOptions = Partial<LoadOptionsMembers> & {map?: GridMap; progress?: Progress};
/** Of work; without either all that there is. */
export type Budget = {cells?: number; microseconds?: never} |
    {microseconds?: number; cells?: never};
export type Query = readonly [Place, Place] | {start: Place; goal: Place};

export interface CellEdit { x: number; y: number; width?: number; height?: number; }
export type Edit =
    | CellEdit & {letter: string}
    | CellEdit & {bits: Bytes}
    | CellEdit & {letters: string | Bytes}
    | {from: number; to: number; cost: number};

export interface Owned {
    /** Frees the object now. Without it, it is freed when it is collected. */
    dispose(): void;
}

/** A grid or a graph. */
export interface GridMap extends Owned {
    readonly width: number;
    readonly height: number;
    readonly nodeCount: number;
    readonly openCount: number;
    readonly arcCount: number;
    readonly kind: MapKind;
    readonly rule: Rule;
    readonly unit: number;
    readonly isDirected: boolean;
    /** Bytes. */
    readonly memory: number;
    readonly version: number;
    readonly hash: bigint;
    get metric(): MetricMembers;
    set metric(metric: MetricPair);
    readonly heights: {cells: Uint16Array; climb: number; descend: number} | null;
    nodeAt(x: number, y: number): number | null;
    nodeAtAxial(q: number, r: number): number | null;
    xy(node: Place): [number, number] | null;
    axial(node: Place): [number, number] | null;
    place(node: Place): [number, number] | null;
    letter(node: Place): string;
    /** The letters of all cells, by their codes. */
    letters(): Uint8Array;
    isOpen(node: Place): boolean;
    connected(a: Place, b: Place): boolean;
    steps(node: Place): ArcMembers[];
    stepsTo(node: Place): ArcMembers[];
    /** Whether the straight line between the centres of two cells is free. */
    sight(a: Place, b: Place): boolean;
    /** Cells that straight lines at any angle join, along a path of this map. */
    pull(path: Path): {waypoints: Uint32Array; length: number};
    /** What a path costs on the map as it is now, or where it is broken. */
    pathCost(nodes: PlaceList): {cost: number | null; broken: number | null};
    /** A cost in straight steps. */
    length(cost: number): number;
    clone(): GridMap;
    /** The map for units of size x size cells, which follows the edits of this one and keeps it. */
    forUnits(size: number, anchor?: Anchor): GridMap;
    /** The size of the units that the map is for, also of one that was loaded; 1 for other maps. */
    readonly unitSize: number;
    /** The cells of the unit that stands at a node; empty where it would reach beyond the map. */
    unitCells(anchor: Place): Uint32Array;
    /** The nodes at which a unit would share a cell with the one that stands at a node of another map
     *  of the same cells, for units of any size: what a search has to avoid for that unit. */
    unitAnchors(others: GridMap, at: Place): Uint32Array;
    /** For every cell the size of the largest unit that can stand there. */
    clearance(anchor?: Anchor): Uint16Array;
    /** The number of each node's component, the largest first; NO_COMPONENT: blocked. */
    components(which?: {strongly?: boolean}): {numbers: Uint32Array, count: number};
    /** The open cell nearest to a place, at most so many steps away; null: none. */
    nearestOpen(place: Place, steps: number, connectedWith?: Place | null): number | null;
    /** All edits or, after an error, none. A string has the form of a file of edits. */
    edit(edits: Edit | readonly Edit[] | string | Bytes): void;
    /** Costs from the nearest of some nodes to every node; UNREACHABLE where no path leads. */
    costsFrom(sources: Places): Uint32Array;
    costsTo(targets: Places): Uint32Array;
    flood(): Flood;
    flowNext(flow: Uint8Array, node: Place): number | null;
    build(options?: BuildOptions): Table;
    search(options?: SearchOptions): Search;
    searchAll(pairs: Iterable<Query>, options?: SearchOptions): Path[];
    /** Costs from every source to every target, a row for each source. */
    distances(sources: PlaceList, targets: PlaceList): Uint32Array;
    bound(goal: Place, heuristic?: Heuristic): Bound;
    isAdmissible(heuristic: Heuristic): boolean;
    isConsistent(heuristic: Heuristic): boolean;
    parseScenario(text: string | Bytes): QueryMembers[];
}

/** Rows of exact costs to landmarks. */
export interface Table extends Owned {
    readonly map: GridMap;
    readonly rowCount: number;
    readonly entryBits: number;
    readonly countsSteps: boolean;
    readonly resident: Resident;
    readonly memory: number;
    readonly version: number;
    readonly metric: MetricMembers;
    readonly mapHash: bigint;
    readonly refreshCounts: RefreshCountsMembers;
    holds(node: Place): boolean;
    direction(row: number): Direction;
    landmarks(row: number): Uint32Array;
    cost(row: number, node: Place): number;
    /** The costs of a row for all nodes. */
    costs(row: number): Uint32Array;
    setCost(row: number, node: Place, cost: number): void;
    rowState(row: number): RowState;
    clone(): Table;
    /** null where every entry is exact. */
    verify(): FaultMembers | null;
    /** Repairs rows after edits; false while there is more to do. */
    refresh(budget?: Budget): boolean;
    refreshAsItPays(path: Path): boolean;
    rebuild(): void;
    toBytes(options?: SaveOptions): Uint8Array;
    search(options?: SearchOptions): Search;
    searchAll(pairs: Iterable<Query>, options?: SearchOptions): Path[];
    /** Costs from every source to every target, a row for each source. */
    distances(sources: PlaceList, targets: PlaceList): Uint32Array;
    bound(goal: Place, heuristic?: Heuristic): Bound;
}

export interface Path {
    readonly isFound: boolean;
    readonly outcome: Outcome;
    readonly cost: number;
    readonly length: number;
    readonly nodes: Uint32Array;
    readonly corners: Uint32Array;
    readonly cells: [number, number][];
    readonly expanded: number;
    readonly generated: number;
    readonly openPeak: number;
    readonly reopened: number;
    readonly space: Space;
    readonly state: RowState;
    readonly rowCount: number;
    /** Of several goals or starts the one of this path, by its place in their list. */
    readonly which: number;
    /** The cost is at most so many times the least; 0: not known. */
    readonly guarantee: number;
}

/** A search for one query after another. */
export interface Queries extends Owned {
    readonly memory: number;
    run(start: Place, goal: Place): Path;
    /** To the nearest of several goals; `which` of the path says to which. */
    runToAny(start: Place, goals: PlaceList): Path;
    runFromAny(starts: PlaceList, goal: Place): Path;
    /** The next runs do not enter these nodes or, with extra costs, pay for it; [] ends that. */
    avoid(nodes: PlaceList, extra?: ArrayLike<number> & Iterable<number>): void;
    /** A path pulled straight as by the map, with lines that keep off the nodes that are avoided. */
    pull(path: Path): {waypoints: Uint32Array; length: number};
    begin(start: Place, goal: Place): Path;
    beginToAny(start: Place, goals: PlaceList): Path;
    beginFromAny(starts: PlaceList, goal: Place): Path;
    resume(expansions: number): Path;
    resumeFor(microseconds: number): Path;
    cells(): Path;
    nodeInfo(node: Place): NodeInfoMembers;
    /** What the search did with all nodes: 0 unseen, 1 open, 2 closed. */
    states(): Uint8Array;
}

export interface Search extends Queries {
    readonly map: GridMap;
    readonly table: Table | null;
}

/** Map and table that are edited as a draft, while searches find what was published last. */
export interface World extends Owned {
    readonly width: number;
    readonly height: number;
    readonly nodeCount: number;
    readonly kind: MapKind;
    /** How often it was published. */
    readonly version: number;
    /** Of the draft; null without a table. */
    readonly refreshCounts: RefreshCountsMembers | null;
    /** Edits the draft. 'busy' while a paused search keeps the state before the published one. */
    edit(edits: Edit | readonly Edit[] | string | Bytes): void;
    /** Repairs the draft's table; false while there is more to do. */
    refresh(budget?: Budget): boolean;
    /** Queries that begin from now on find the draft. */
    publish(): void;
    /** A query that pauses keeps its state until it ends. */
    search(options?: SearchOptions): Queries;
}

/** A flow field that follows edits of the map. */
export interface Flow extends Owned {
    readonly map: GridMap;
    /** What flowTo and costsTo give. */
    readonly steps: Uint8Array;
    readonly costs: Uint32Array;
    next(node: Place): number | null;
    /** The field after the edits since it was made or repaired. */
    repair(): void;
}

/** A lower bound on the cost to a goal, for an A* of your own. */
export interface Bound extends Owned {
    readonly map: GridMap;
    readonly isCurrent: boolean;
    at(node: Place): number;
    ofNodes(nodes: Iterable<Place>): Uint32Array;
}

export interface Flood extends Owned {
    readonly map: GridMap;
    /** How far floods and fields go from now on: to costs of at most `most`, and until all places of
     * `until` are reached; without arguments everywhere. */
    limit(most?: number, until?: PlaceList): void;
    costsFrom(sources: Places): Uint32Array;
    costsTo(targets: Places): Uint32Array;
    flowTo(targets: Places): Uint8Array;
    follow(targets: Places): Flow;
}

export interface Cairn {
    readonly version: string;
    /** Whether the module with vectors runs. */
    readonly isVector: boolean;
    parseMap(text: string | Bytes, options?: MapOptions & {places?: string | Bytes}): GridMap;
    mapFromRows(rows: Iterable<string | Bytes>, options?: MapOptions): GridMap;
    mapFromLetters(width: number, height: number, letters: string | Bytes, options?: MapOptions): GridMap;
    mapFromArcs(nodeCount: number, arcs: Iterable<readonly [number, number, number]>,
        places?: {x: ArrayLike<number>; y: ArrayLike<number>}): GridMap;
    mapFromFunctions(graph: {
        nodeCount: number;
        arcs: (node: number) => Iterable<readonly [number, number]>;
        bound?: (node: number, goal: number) => number;
    }): GridMap;
    /** Owns the map and its table from now on. */
    world(map: GridMap, table?: Table | null): World;
    loadTable(bytes: Bytes, options?: LoadOptions): {map: GridMap; table: Table};
    outline(bytes: Bytes): Omit<OutlineMembers, 'mapHash' | 'stamp'> &
        {mapHash: bigint; stamp: bigint};
}

export interface HostOptions {
    /** The bytes of cairn.wasm or cairn-simd.wasm, where they are not to be read from the package. */
    module?: Bytes;
    /** Whether to use vectors; by default where the host has them. */
    vectors?: boolean;
}

export function load(options?: HostOptions): Promise<Cairn>;
