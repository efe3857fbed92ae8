/** Requests to Venus: first all values, then that it goes on, and those values that came, one by one. */
import { expect, test } from "vitest";
import { VenusRequests, venusFilters } from "../../../src/core/sensors/venus.ts";

const everything = (id: string) => ({ topic: `R/${id}/keepalive`, payload: "" });

test("a portal id in a row is asked at once, and once", () => {
  const requests = new VenusRequests();
  const filters = ["N/48e7da/battery/278/Soc", "N/48e7da/tank/3/Level", "home/x"];
  expect(requests.first(filters)).toEqual([everything("48e7da")]);
  expect(requests.first(filters)).toEqual([]);
  expect(venusFilters(filters)).toEqual([]);
});

test("the portal id that Venus tells is asked, if a row leaves it open", () => {
  const requests = new VenusRequests();
  const filters = ["N/+/battery/278/Soc"];
  expect(requests.first(filters)).toEqual([]);
  expect(venusFilters(filters)).toEqual(["N/+/system/0/Serial"]);
  expect(requests.first(filters, "home/48e7da/x")).toEqual([]);
  expect(requests.first(filters, "N/48e7da/system/0/Serial")).toEqual([everything("48e7da")]);
  expect(requests.first(filters, "N/48e7da/battery/278/Soc")).toEqual([]);
  expect(new VenusRequests().first(["home/x"], "N/48e7da/system/0/Serial")).toEqual([]);
});

test("a client that invents portal ids gets a few requests", () => {
  const requests = new VenusRequests();
  const asked = Array.from({ length: 100 }, (_, id) => requests.first(["N/+/x"], `N/${id}/system/0/Serial`)).flat();
  expect(asked).toHaveLength(8);
  expect(requests.again([])).toHaveLength(8);
});
