/** NAMEs of devices for tests that care only that they differ. */
import { deviceName } from "../../../src/core/n2k/device-name.ts";

/** The NAME of a wind sensor with this identity number. */
export const named = (identityNumber: number): bigint =>
  deviceName({
    identityNumber,
    manufacturerCode: 1851,
    ecuInstance: 0,
    functionInstance: 0,
    functionCode: 130,
    classCode: 85,
    vehicleSystemInstance: 0,
    industryGroupCode: 4,
    arbitraryAddressCapable: true,
  });
