/**
 * The reports about devices: the list of those on the bus, and the information of each. Members and their order are the
 * document's; members that are fields of a PGN are taken from its definition.
 */
import * as z from "zod";
import { MAX_ADDRESS } from "../can/networks.ts";
import type { Definition } from "../n2k/definition.ts";
import { type Field, type Fields, type FlagField, isPublished, type NumberField } from "../n2k/field.ts";
import { namedThing } from "../n2k/named-thing.ts";
import { isoAddressClaim, productInformation } from "../n2k/pgns/system.ts";
import { envelopeOf } from "../report/envelope.ts";

type MemberOf<One> = One extends NumberField ? z.ZodInt : One extends FlagField ? z.ZodBoolean : z.ZodString;

type MembersOf<All extends Fields> = {
  [Name in keyof All & string as Name extends `_${string}` ? never : Name]: MemberOf<All[Name]>;
};

function memberOf(field: Field): z.ZodType {
  if (field.kind === "flag") return z.boolean();
  if (field.kind !== "number") return z.string();
  const { wire, note } = field;
  const member = z.int().min(wire.lowest).max(wire.highest);
  return note === undefined ? member : member.describe(note);
}

/** The published fields of a definition that has only integers, flags and texts. */
const membersOf = <All extends Fields>({ fields }: Definition<number, All>): MembersOf<All> =>
  Object.fromEntries(
    Object.entries<Field>(fields)
      .filter(([name]) => isPublished(name))
      .map(([name, field]) => [name, memberOf(field)]),
  ) as MembersOf<All>;

const addr = z.int().min(0).max(MAX_ADDRESS).describe("0 to 253, plus 256 for each further network");
/** NAMEs are beyond 2^53, so that a reader needs a parser that keeps such integers. */
const name = z.bigint().min(0n).describe("the NAME, unsigned 64 bits with all digits; 0 while it is unknown");

export const devicesMessage = envelopeOf(
  z.strictObject({ count: z.int().min(0), peers: z.array(z.strictObject({ addr, name })) }),
);

const claim = membersOf(isoAddressClaim);
const product = membersOf(productInformation);
const pgnNames = z.array(z.strictObject({ id: z.int().min(0), name: z.string() })).optional();

const information = z.strictObject({
  addr,
  name,
  identityNumber: claim.identityNumber,
  manufacturerCode: claim.manufacturerCode,
  manufacturer: z.string(),
  ecuInstance: claim.ecuInstance,
  functionInstance: claim.functionInstance,
  deviceInstance: z.int().min(0).max(255),
  functionCode: claim.functionCode,
  functionName: z.string(),
  classCode: claim.classCode,
  vehicleSystemInstance: claim.vehicleSystemInstance,
  industryGroupCode: claim.industryGroupCode,
  industryGroup: z.string(),
  arbitraryAddressCapable: claim.arbitraryAddressCapable,
  productInfo: z
    .strictObject({
      nmeaVersion: product.nmeaVersion,
      productCode: product.productCode,
      modelId: product.modelId,
      softwareVersion: product.softwareVersion,
      productName: product.modelId.describe("the model, as modelId: the wire has no other name of a product"),
      serialNumber: product.serialNumber,
      certLevel: product.certLevel,
      loadEquiv: product.loadEquiv,
    })
    .partial()
    .optional(),
  txPgns: pgnNames,
  rxPgns: pgnNames,
  otherNames: z
    .array(z.string())
    .describe("NAMEs by which settings may name it too, in decimal digits (beyond the document)")
    .optional(),
  friendlyName: z.string().describe("as configured (beyond the document)").optional(),
  names: z
    .array(namedThing)
    .describe("names of its tanks, batteries, engines, switches and sensors, as configured (beyond the document)")
    .optional(),
});

export const informationMessage = envelopeOf(information);

/** As many as a network has addresses. */
export const MAX_KNOWN = 252;
const MAX_LABEL = 100;

const knownDevice = z.strictObject({
  name: z
    .string()
    .regex(/^\d{1,20}$/)
    .describe("the NAME, all digits"),
  addr,
  label: z.string().max(MAX_LABEL).describe("as the crew calls it, else its model, else its manufacturer and function"),
  about: z
    .array(z.string().max(MAX_LABEL))
    .max(3)
    .describe("its model, function and manufacturer, in English, those that are known and not in the label"),
  silentSince: z.iso.datetime().describe("when it sent last; absent: it is not silent").optional(),
  unheardSince: z.iso
    .datetime()
    .describe(
      "when it was heard last, for three minutes after that, and after the first message that a start of hub-cand hears",
    )
    .optional(),
});

export const knownDevicesMessage = envelopeOf(
  z.strictObject({ devices: z.array(knownDevice).max(MAX_KNOWN).describe("by address") }),
);

/** The NAME of a device that is forgotten, as text. */
export const forgottenDevice = knownDevice.shape.name;

export type KnownDevice = z.infer<typeof knownDevice>;
export type DeviceList = z.infer<typeof devicesMessage>["data"];
export type DeviceInformation = z.infer<typeof information>;
