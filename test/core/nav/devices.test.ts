import { expect, test } from "vitest";
import { standInName } from "../../../src/core/n2k/stand-in.ts";
import { Devices } from "../../../src/core/nav/devices.ts";

test("a device whose NAME becomes known is the same device", () => {
  const devices = new Devices();
  const nameless = devices.at(3, undefined, 0);
  expect([nameless.name, nameless.digits, nameless.order]).toEqual([undefined, "0", 0]);
  const named = devices.at(3, 13868994482250310209n, 1);
  expect(named).toBe(nameless);
  expect([named.name, named.digits, named.order]).toEqual([13868994482250310209n, "13868994482250310209", 0]);
});

test("a device that says its NAME after one was made for it is the same device, and the made one is free", () => {
  const devices = new Devices();
  const made = standInName("can2 1", { classCode: 50, functionCode: 140 });
  const device = devices.at(1, made, 0);
  expect(devices.at(1, 7n, 1)).toBe(device);
  expect(device).toMatchObject({ name: 7n, digits: "7" });
  expect(devices.at(5, 7n, 2)).toBe(device);
  expect(devices.at(1, made, 3)).not.toBe(device);
});

test("a storm of NAMEs is forgotten from its longest silent end", () => {
  const devices = new Devices();
  const faithful = devices.at(1, 1n, 0);
  for (let at = 1; at <= 5000; at++) {
    devices.at(2, BigInt(1000 + at), at);
    devices.at(1, 1n, at);
  }
  expect(devices.at(1, 1n, 5001)).toBe(faithful);
  expect(devices.at(9, 1n, 5001)).toBe(faithful);
  expect(devices.at(2, 1001n, 5002).order).toBeGreaterThan(5000);
});
