/**
 * The highest code of a NAME, which no manufacturer has: devices of open libraries, hub's own node, and the devices that
 * stand for senders on no bus (`stand-in.ts`). A file of its own, because pages load it without the table of NAMEs.
 */
export const NO_MANUFACTURER = 2046;
