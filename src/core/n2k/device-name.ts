/**
 * The NAME of a device: 64 unique bits. Of two devices that claim one address, the numerically lower NAME wins.
 *
 *      0  21  identity number          48   1  spare
 *     21  11  manufacturer             49   7  device class
 *     32   3  device instance, lower   56   4  system instance
 *     35   5  device instance, upper   60   3  industry group
 *     40   8  device function          63   1  arbitrary address capable
 *
 * NAMEs exceed the integers that a double holds exactly, so that they are bigints everywhere.
 */
import { NO_MANUFACTURER } from "./no-manufacturer.ts";
import { deviceFunctions, industryGroups, manufacturers } from "./public-database.ts";

/** Maximum NAMEs kept at once; networks have 252 addresses each, so that more NAMEs mean a fault or an attack. */
export const MAX_NAMES = 1024;

/** The numbers in a NAME, under the document's names. */
export interface NameParts {
  /** Unique number of the device, 21 bits. */
  readonly identityNumber: number;
  readonly manufacturerCode: number;
  /** Lower three bits of the device instance. */
  readonly ecuInstance: number;
  /** Upper five bits of the device instance. */
  readonly functionInstance: number;
  readonly functionCode: number;
  readonly classCode: number;
  readonly vehicleSystemInstance: number;
  readonly industryGroupCode: number;
  readonly arbitraryAddressCapable: boolean;
}

/** The numbers in a NAME and their texts, in the document's order. */
export interface NameDescription extends NameParts {
  readonly manufacturer: string;
  readonly deviceInstance: number;
  readonly functionName: string;
  readonly industryGroup: string;
}

/** The NAME in the eight bytes from `at`, little-endian; undefined for fewer bytes. */
export function readDeviceName(bytes: Uint8Array, at: number, end: number): bigint | undefined {
  if (end - at < 8) return undefined;
  let name = 0n;
  for (let byte = 7; byte >= 0; byte--) name = (name << 8n) | BigInt(bytes[at + byte]!);
  return name;
}

/**
 * The NAMEs in an address claim: that of the device, and behind it those by which settings may name it too. A device in
 * the place of a sender has them (`stand-in.ts`); a claim on a bus is a single frame, with one NAME.
 */
export function readDeviceNames(bytes: Uint8Array, at: number, end: number): readonly bigint[] {
  const names = new Set<bigint>();
  for (let from = at; from + 8 <= end; from += 8) names.add(readDeviceName(bytes, from, end)!);
  return [...names];
}

export function deviceNameBytes(name: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  for (let byte = 0; byte < 8; byte++) bytes[byte] = Number((name >> BigInt(8 * byte)) & 0xffn);
  return bytes;
}

export function namePartsOf(name: bigint): NameParts {
  // No field crosses the middle, and each operation of a BigInt makes another one.
  const [low, high] = [Number(name & 0xffff_ffffn), Number(name >> 32n)];
  return {
    identityNumber: low & 0x1f_ffff,
    manufacturerCode: low >>> 21,
    ecuInstance: high & 0x7,
    functionInstance: (high >>> 3) & 0x1f,
    functionCode: (high >>> 8) & 0xff,
    classCode: (high >>> 17) & 0x7f,
    vehicleSystemInstance: (high >>> 24) & 0xf,
    industryGroupCode: (high >>> 28) & 0x7,
    arbitraryAddressCapable: high >>> 31 === 1,
  };
}

/** A NAME from its numbers; the spare bit is zero. */
export function deviceName(parts: NameParts): bigint {
  const bits = (value: number, from: number, count: number): bigint =>
    (BigInt(value) & ((1n << BigInt(count)) - 1n)) << BigInt(from);
  return (
    bits(parts.identityNumber, 0, 21) |
    bits(parts.manufacturerCode, 21, 11) |
    bits(parts.ecuInstance, 32, 3) |
    bits(parts.functionInstance, 35, 5) |
    bits(parts.functionCode, 40, 8) |
    bits(parts.classCode, 49, 7) |
    bits(parts.vehicleSystemInstance, 56, 4) |
    bits(parts.industryGroupCode, 60, 3) |
    bits(parts.arbitraryAddressCapable ? 1 : 0, 63, 1)
  );
}

const manufacturerNames = new Map(manufacturers);
const industryGroupNames = new Map(industryGroups);

/** A function code means something within its class only. */
const functionKey = (classCode: number, functionCode: number): number => classCode * 256 + functionCode;

const functionNames = new Map(
  deviceFunctions.map(([classCode, functionCode, name]) => [functionKey(classCode, functionCode), name]),
);

const unknown = (code: number): string => `Unknown (${code})`;

/** The numbers in a NAME and their texts; "Unknown (1234)" for a code without one. */
export function describeName(name: bigint): NameDescription {
  const parts = namePartsOf(name);
  const { manufacturerCode, ecuInstance, functionInstance, functionCode, classCode, industryGroupCode } = parts;
  return {
    identityNumber: parts.identityNumber,
    manufacturerCode,
    manufacturer: manufacturerNames.get(manufacturerCode) ?? unknown(manufacturerCode),
    ecuInstance,
    functionInstance,
    deviceInstance: functionInstance * 8 + ecuInstance,
    functionCode,
    functionName: functionNames.get(functionKey(classCode, functionCode)) ?? unknown(functionCode),
    classCode,
    vehicleSystemInstance: parts.vehicleSystemInstance,
    industryGroupCode,
    industryGroup: industryGroupNames.get(industryGroupCode) ?? unknown(industryGroupCode),
    arbitraryAddressCapable: parts.arbitraryAddressCapable,
  };
}

/** The label of a device whose model is not known: its manufacturer, if it has one, and its function. */
export function kindOfDevice(name: bigint): string {
  const { manufacturerCode, manufacturer, functionName } = describeName(name);
  return manufacturerCode === NO_MANUFACTURER ? functionName : `${manufacturer} ${functionName}`;
}
