/**
 * Network management: requests, address claims, PGN lists, product data. They feed the reports about devices and are
 * not published as PGN messages. A field that holds a PGN is not called `pgn`, the name of the message's own.
 */

import { pgn } from "../definition.ts";
import { ControllerState, EquipmentStatus, GroupFunction, IsoControl, PgnListFunction } from "../lookups.ts";
import { choice, code, counter, decimal, flag, hex, integer, lauText, repeat, reserved, spare, text } from "../verbs.ts";
import { u2, u3, u4, u5, u7, u8, u11, u16, u21, u24, withoutReservedCodes } from "../wire.ts";

const pgnNumber = integer(withoutReservedCodes(u24));

/** Mark of messages by which devices find each other, which do not describe the boat. */
const protocol = { about: "protocol" } as const;

/** The fields of the 64-bit NAME (as one number: `device-name.ts`). */
const deviceName = {
  identityNumber:          integer(withoutReservedCodes(u21)),
  manufacturerCode:        integer(withoutReservedCodes(u11)),
  ecuInstance:             integer(withoutReservedCodes(u3), { note: "lower part of the device instance" }),
  functionInstance:        integer(withoutReservedCodes(u5), { note: "upper part of the device instance" }),
  functionCode:            integer(withoutReservedCodes(u8)),
  _spare:                  spare(1),
  classCode:               integer(withoutReservedCodes(u7)),
  vehicleSystemInstance:   integer(withoutReservedCodes(u4)),
  industryGroupCode:       integer(withoutReservedCodes(u3)),
  arbitraryAddressCapable: flag(),
} as const;

export const isoAcknowledgement = pgn(59392, "ISO Acknowledgement", {
  control:         choice(u8, IsoControl),
  groupFunction:   integer(u8),
  _reserved:       reserved(24),
  acknowledgedPgn: pgnNumber,
}, protocol);

export const isoRequest = pgn(59904, "ISO Request", { requestedPgn: pgnNumber }, { ...protocol, bytes: 3 });

export const isoAddressClaim = pgn(60928, "ISO Address Claim", deviceName, protocol);

export const isoCommandedAddress = pgn(65240, "ISO Commanded Address", {
  ...deviceName,
  newSourceAddress: integer(u8),
}, { ...protocol, transport: "isoTp" });

export const groupFunction = pgn(126208, "NMEA - Group Function", {
  function:   choice(u8, GroupFunction),
  aboutPgn:   pgnNumber,
  parameters: hex({ note: "layout depends on the function" }),
}, { ...protocol, transport: "fast" });

export const pgnList = pgn(126464, "PGN List (Transmit and Receive)", {
  function: choice(u8, PgnListFunction),
  pgns:     repeat({ id: pgnNumber }),
}, { ...protocol, transport: "fast" });

export const heartbeat = pgn(126993, "Heartbeat", {
  intervalS:        decimal(u16, { per: 1000, unit: "s", note: "canboat 6.2.0 has 0.01 s per bit, 8.0.0 0.001 s, which fits the usual 60 s" }),
  sequenceCounter:  counter(integer(u8)),
  controller1State: choice(u2, ControllerState),
  controller2State: choice(u2, ControllerState),
  equipmentStatus:  choice(u2, EquipmentStatus),
  _reserved:        reserved(34),
}, protocol);

export const productInformation = pgn(126996, "Product Information", {
  nmeaVersion:     integer(u16, { note: "2100 is version 2.100" }),
  productCode:     integer(u16),
  modelId:         text(32),
  softwareVersion: text(32),
  modelVersion:    text(32),
  serialNumber:    text(32),
  certLevel:       code(u8),
  loadEquiv:       integer(u8, { note: "steps of 50 mA" }),
}, protocol);

export const configurationInformation = pgn(126998, "Configuration Information", {
  installationDescription1: lauText(),
  installationDescription2: lauText(),
  manufacturerInformation:  lauText(),
}, { ...protocol, transport: "fast" });
