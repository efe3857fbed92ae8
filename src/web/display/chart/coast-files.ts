/** The files of the coastline, loaded when they are first in sight. */
import type { Position } from "../../../core/nav/great-circle.ts";
import { invalidate } from "../data/frame-tick.ts";
import { blocksAround, type CoastCell, readCoast } from "./coast-file.ts";

/** File names by block, as JSON; esbuild defines the constant. */
declare const HUB_COAST: string;

const files = JSON.parse(HUB_COAST) as Readonly<Record<string, string>>;

const RETRY_MS = 60_000;

interface Block {
  cells: readonly CoastCell[];
  /** Monotonic milliseconds from which it is requested again; infinity once it is there. */
  retryAt: number;
}

const blocks = new Map<string, Block>();

async function load(file: string, block: Block): Promise<void> {
  block.retryAt = performance.now() + RETRY_MS;
  try {
    const response = await fetch(file);
    if (!response.ok) return;
    block.cells = readCoast(await response.arrayBuffer());
    block.retryAt = Number.POSITIVE_INFINITY;
    invalidate();
  } catch {
    // Without the boat's server the coastline appears later.
  }
}

function cellsOf(name: string): readonly CoastCell[] {
  const file = files[name];
  // Only water.
  if (file === undefined) return [];
  const block = blocks.get(name) ?? { cells: [], retryAt: Number.NEGATIVE_INFINITY };
  blocks.set(name, block);
  if (performance.now() >= block.retryAt) void load(file, block);
  return block.cells;
}

/** Degrees to the north from which the coarse land of the whole world is shown. */
const WORLD_DEGREES = 15;

/** The loaded land around a place, within degrees to the north and to the east. */
export const coastAround = (
  center: Position,
  reach: { readonly north: number; readonly east: number },
): readonly CoastCell[] =>
  reach.north > WORLD_DEGREES ? cellsOf("world") : blocksAround(center, reach).flatMap(cellsOf);
