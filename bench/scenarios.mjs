/**
 * The list of scenarios. A scenario opens to its inputs and its programs, which take turns with each input in every
 * round: a program is called with an input and the number of the round, negative before those that count, and resolves
 * with its figures by column, of which the first is its cost. `only` of an input names the programs that get it;
 * `growth` is the column for the cost of one more unit of `count` of the inputs. A scenario that cannot run here opens
 * to undefined.
 */
import { openBeside } from "./beside.mjs";
import { openBus } from "./bus.mjs";
import { openDisplay } from "./display.mjs";
import { openHealth } from "./health.mjs";
import { openLink, openStuck } from "./link.mjs";
import { openNetworks } from "./networks.mjs";
import { openPhotos } from "./photos.mjs";
import { openProjects } from "./projects.mjs";
import { openBroker, openDecoder, openEqual, openFrames, openLengths, openVersions } from "./replays.mjs";
import { openAis, openDecoding, openDevices } from "./reports.mjs";

/** Scenarios that print their tables themselves, when they are loaded. */
const own = (file) => async () => void (await import(file));

/** @typedef {{name: string, only?: string[], count?: number}} Input */
/** @typedef {(input: any, round: number) => Record<string, number> | Promise<Record<string, number>>} Program */
/** @typedef {{inputs: Input[], programs: Record<string, Program>, growth?: string, close?: () => unknown}} Opened */
/** @typedef {(folder: string) => Opened | undefined | Promise<Opened | undefined | void>} Open */

/** Scenarios of a group are part of `npm run bench`. */
/** @type {Record<string, {group?: string, title: string, open: Open, rounds?: number, warmUps?: number}>} */
export const scenarios = {
  lengths: {
    group: "cand",
    title: "candump -L to JSON lines on stdout; goal 6 times less than canboatjs at a million, 10 at six",
    open: openLengths,
  },
  equal: { group: "cand", title: "candump -L to JSON lines on stdout, all and equal work", open: openEqual },
  broker: {
    group: "cand",
    title: "candump -L to Mosquitto, a topic per source and PGN, QoS 0; goal 6 times less",
    open: openBroker,
  },
  decoder: { group: "cand", title: "The decoder's package, candump -L to JSON lines on stdout", open: openDecoder },
  decode: { group: "cand", title: "Decoding, packets at hand", open: openDecoding, rounds: 7 },
  health: {
    group: "service",
    title: "GET /health beside large requests, own and of a bare server",
    open: openHealth,
    warmUps: 0,
  },
  configd: { group: "service", title: "hub-configd beside a bare server", open: own("./configd.mjs") },
  photos: {
    group: "service",
    title: "A setting beside 8 MB of media; goals 1.5 times the bytes alone, 100 ms",
    open: openPhotos,
    rounds: 5,
    warmUps: 0,
  },
  frames: { group: "growth", title: "Frames replayed to stdout", open: openFrames },
  projects: { group: "growth", title: "Entries of a project, milliseconds a request", open: openProjects },
  ais: { group: "growth", title: "AIS report", open: openAis, rounds: 50, warmUps: 5 },
  devices: { group: "growth", title: "Navigation report and device list", open: openDevices, rounds: 50, warmUps: 5 },
  bus: { group: "bus", title: "A full bus by SocketCAN to Mosquitto", open: openBus, warmUps: 0 },
  versions: {
    title: "A million frames to stdout beside another checkout; goal at most 1.02 times the last release",
    open: openVersions,
    rounds: 11,
  },
  networks: { title: "A full bus with an AIS receiver beside it", open: openNetworks, warmUps: 0 },
  link: { title: "hub-link and its clients, of NMEA 0183 + of Signal K", open: openLink, rounds: 2, warmUps: 0 },
  beside: {
    title:
      "A full bus and clients of Signal K, hub beside signalk-server at once; goal 5 times less CPU, 8 times less memory",
    open: openBeside,
    rounds: 2,
    warmUps: 0,
  },
  stuck: { title: "Clients of Signal K that never read", open: openStuck, rounds: 1, warmUps: 0 },
  attack: { title: "What clients of hub-link notice while others make work", open: own("./link-attack.mjs") },
  fleet: { title: "What a boat costs the cluster of a fleet", open: own("./fleet.mjs") },
  boat: {
    title: "What the packages write to the medium of a boat, and their memory, as root",
    open: own("./boat.mjs"),
  },
  display: { title: "The display on a full bus", open: openDisplay, rounds: 1, warmUps: 0 },
};
