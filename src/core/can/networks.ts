/**
 * The addresses of devices where one boat has several networks: those of the first are as on its bus, those of the n-th
 * further one begin at 256·n.
 */
import { NULL_ADDRESS } from "./can-id.ts";

/** Distance between the first addresses of two networks. */
export const NETWORK_ADDRESSES = 256;
/** Maximum networks in addition to the first. */
export const MAX_FURTHER_NETWORKS = 7;
/** The highest address of a device on any network. */
export const MAX_ADDRESS = MAX_FURTHER_NETWORKS * NETWORK_ADDRESSES + NULL_ADDRESS - 1;

/** The network of an address: 0 is the first. */
export const networkOf = (address: number): number => Math.floor(address / NETWORK_ADDRESSES);

/** An address as it is on its own network. */
export const addressOnNetwork = (address: number): number => address & (NETWORK_ADDRESSES - 1);

export const isDeviceAddress = (address: number): boolean => address % NETWORK_ADDRESSES < NULL_ADDRESS;

/** Whether a network is one of SAE J1939, by its name: `j1939:can2`, `j1939+` and the URL of a gateway. */
export const isJ1939Network = (name: string): boolean => /^j1939[:+]/.test(name);
