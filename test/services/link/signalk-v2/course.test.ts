/** The course that hub-link holds: the API by the schemas of signalk-server, sentences, and the paths of Signal K. */
import { describe, expect, test } from "vitest";
import { faultOfSchema, withoutServer } from "../../../formats/signalk/server-openapi.ts";
import { COURSE, RESOURCES, route, setUp, waypoint } from "./held.ts";

type Boat = ReturnType<typeof setUp>;

const position = { latitude: 52, longitude: 5 };
const DONE = { status: 200, body: { state: "COMPLETED", statusCode: 200, message: "OK" } };

const info = async (boat: Boat) => (await boat.ask("GET", COURSE)).body;
const values = async (boat: Boat) => (await boat.ask("GET", `${COURSE}/calcValues`)).body;

async function setRoute(boat: Boat, more: object = {}) {
  const body = route("R", [4, 52], [5, 52], [6, 52], [7, 52]);
  const { id } = (await boat.ask("POST", `${RESOURCES}/routes`, body)).body;
  const href = `/resources/routes/${id}`;
  expect(await boat.ask("PUT", `${COURSE}/activeRoute`, { href, ...more })).toEqual(DONE);
  return { id, href };
}

/** The point to which the boat is steered, and the one before it. */
async function leg(boat: Boat) {
  const { nextPoint, previousPoint, activeRoute } = await info(boat);
  return [previousPoint.position.longitude, nextPoint.position.longitude, activeRoute.pointIndex];
}

/** A plotter on the bus that steers to another place. */
function plot(boat: Boat, destinationLatitude = 40): void {
  boat.pgn(129_285, { waypoints: [{ waypointId: 9, name: "Plotter", latitude: destinationLatitude, longitude: 3 }] });
  boat.pgn(129_283, { xte: 77 });
  boat.pgn(129_284, {
    ...{ distanceToWaypoint: 5000, waypointId: 9, destinationLatitude, destinationLongitude: 3 },
    ...{ bearingToWaypoint: 200, bearingReference: "True", arrivalStatus: "Not Arrived" },
  });
}

test.skipIf(withoutServer !== undefined)("a destination is set, shown, and cleared", async () => {
  const boat = setUp();
  boat.sail(52, 4);
  const body = { position, arrivalCircle: 100 };
  expect(faultOfSchema("SetDestinationBodySchema", body)).toBeUndefined();
  expect(await boat.ask("PUT", `${COURSE}/destination`, body)).toEqual(DONE);
  const held = await info(boat);
  expect(faultOfSchema("CourseInfoSchema", held)).toBeUndefined();
  expect(held).toEqual({
    startTime: "2026-11-24T12:00:01.200Z",
    targetArrivalTime: null,
    arrivalCircle: 100,
    activeRoute: null,
    nextPoint: { type: "Location", position },
    previousPoint: { type: "VesselPosition", position: { latitude: 52, longitude: 4 } },
  });
  boat.sail(52.01, 4.5, { cog: 91, sog: 6 });
  const calculated = await values(boat);
  expect(faultOfSchema("CourseCalculationsSchema", calculated)).toBeUndefined();
  expect(calculated).toEqual({
    calcMethod: "GreatCircle",
    // 1112 m north of the parallel, of which the great circle is 118 m north in its middle.
    crossTrackError: expect.closeTo(-994.26, 1),
    bearingTrackTrue: expect.closeTo(1.563919, 5),
    bearingTrackMagnetic: expect.closeTo(1.563919 - (2 * Math.PI) / 180, 5),
    distance: expect.closeTo(34_243.4, 0),
    bearingTrue: expect.closeTo(1.599835, 5),
    bearingMagnetic: expect.closeTo(1.599835 - (2 * Math.PI) / 180, 4),
    velocityMadeGood: expect.closeTo(3.085, 2),
    timeToGo: expect.closeTo(11_096, -2),
    estimatedTimeOfArrival: expect.stringMatching(/^2026-11-24T15:0\d:/),
    previousPoint: { distance: expect.closeTo(34_257.5, -2) },
  });
  expect(await boat.ask("DELETE", COURSE)).toEqual(DONE);
  expect(await info(boat)).toMatchObject({ nextPoint: null, previousPoint: null, startTime: null, arrivalCircle: 100 });
  expect(await values(boat)).toEqual({ calcMethod: "GreatCircle" });
});

test("a destination that is a waypoint follows it, and stays where it was when it is removed", async () => {
  const boat = setUp();
  boat.sail(52, 4);
  const { id } = (await boat.ask("POST", `${RESOURCES}/waypoints`, waypoint(5, 52, "Buoy"))).body;
  const href = `/resources/waypoints/${id}`;
  expect(await boat.ask("PUT", `${COURSE}/destination`, { href })).toEqual(DONE);
  expect((await info(boat)).nextPoint).toEqual({ href, type: "Waypoint", position, name: "Buoy" });
  await boat.ask("PUT", `${RESOURCES}/waypoints/${id}`, waypoint(5.5, 52, "Buoy moved"));
  const moved = { href, type: "Waypoint", position: { latitude: 52, longitude: 5.5 }, name: "Buoy moved" };
  await expect.poll(async () => (await info(boat)).nextPoint).toEqual(moved);
  await boat.ask("DELETE", `${RESOURCES}/waypoints/${id}`);
  expect((await info(boat)).nextPoint).toEqual(moved);
  expect((await boat.ask("PUT", `${COURSE}/destination`, { href })).status).toBe(404);
});

describe("a route", () => {
  test.skipIf(withoutServer !== undefined)("is followed point by point, within its ends", async () => {
    const boat = setUp();
    boat.sail(51, 3);
    const { href } = await setRoute(boat, { arrivalCircle: 50 });
    const held = await info(boat);
    expect(faultOfSchema("CourseInfoSchema", held)).toBeUndefined();
    expect(held).toMatchObject({
      arrivalCircle: 50,
      activeRoute: { href, name: "R", pointIndex: 0, pointTotal: 4, reverse: false },
      nextPoint: { type: "RoutePoint", name: "R 0" },
      previousPoint: { type: "VesselPosition" },
    });
    const go = (action: string, body?: object) => boat.ask("PUT", `${COURSE}/activeRoute/${action}`, body);
    expect(await go("nextPoint")).toEqual(DONE);
    expect(await leg(boat)).toEqual([4, 5, 1]);
    await go("nextPoint", { value: 7 });
    expect(await leg(boat)).toEqual([6, 7, 3]);
    await go("nextPoint", { value: -2 });
    expect(await leg(boat)).toEqual([4, 5, 1]);
    await go("pointIndex", { value: 2 });
    expect(await leg(boat)).toEqual([5, 6, 2]);
    // The same point, from the other side.
    await go("reverse");
    expect(await leg(boat)).toEqual([7, 6, 1]);
    await go("reverse", { pointIndex: 3 });
    expect(await leg(boat)).toEqual([6, 7, 3]);
    expect((await go("pointIndex", { value: -1 })).status).toBe(400);
    expect((await go("nextPoint", { value: "1" })).status).toBe(400);
    expect((await go("skip")).status).toBe(404);
  });

  test("may begin in reverse and in its midst", async () => {
    const boat = setUp();
    boat.sail(51, 3);
    await setRoute(boat, { reverse: true, pointIndex: 1 });
    expect(await leg(boat)).toEqual([7, 6, 1]);
    expect((await info(boat)).nextPoint.name).toBe("R 2");
  });

  test("has a point behind the next one, but on its last leg", async () => {
    const boat = setUp();
    boat.sail(51, 3);
    await setRoute(boat, { pointIndex: 2 });
    const following = async () => {
      // The number of the next point comes behind the route.
      for (const latitude of [51, 51.01]) boat.sail(latitude, 3);
      const { body } = await boat.ask("GET", "v1/api/vessels/self/navigation/courseGreatCircle");
      return body.followingPoint?.position.value.longitude;
    };
    expect(await following()).toBe(7);
    await boat.ask("PUT", `${COURSE}/activeRoute/nextPoint`);
    expect(await following()).toBeUndefined();
  });

  test("that changes is followed by the point at the same place", async () => {
    const boat = setUp();
    boat.sail(51, 3);
    const { id } = await setRoute(boat, { pointIndex: 1 });
    await boat.ask("PUT", `${RESOURCES}/routes/${id}`, route("Longer", [3, 52], [4, 52], [5, 52], [6, 52], [7, 52]));
    await expect
      .poll(async () => (await info(boat)).activeRoute)
      .toMatchObject({ name: "Longer", pointIndex: 2, pointTotal: 5 });
    expect(await leg(boat)).toEqual([4, 5, 2]);
    expect(await boat.ask("PUT", `${COURSE}/activeRoute/refresh`)).toEqual(DONE);
    await boat.ask("DELETE", `${RESOURCES}/routes/${id}`);
    for (const request of ["nextPoint", "refresh"])
      expect(await boat.ask("PUT", `${COURSE}/activeRoute/${request}`)).toMatchObject({
        status: 400,
        body: { message: `There is no /resources/routes/${id} any more.` },
      });
    expect(await leg(boat)).toEqual([4, 5, 2]);
  });
});

test("a route that is read anew leaves the beginning of its first leg where it was", async () => {
  const boat = setUp();
  boat.sail(51, 3);
  await setRoute(boat);
  boat.sail(51.5, 3.5);
  expect(await boat.ask("PUT", `${COURSE}/activeRoute/refresh`)).toEqual(DONE);
  expect(await leg(boat)).toEqual([3, 4, 0]);
});

test("restart begins the leg at the boat, and the other settings are kept", async () => {
  const boat = setUp();
  expect((await boat.ask("PUT", `${COURSE}/restart`)).status).toBe(400);
  boat.sail(52, 4);
  await boat.ask("PUT", `${COURSE}/destination`, { position });
  boat.sail(52.1, 4.5);
  expect(await boat.ask("PUT", `${COURSE}/restart`)).toEqual(DONE);
  expect(await boat.ask("PUT", `${COURSE}/arrivalCircle`, { value: 25 })).toEqual(DONE);
  const value = "2026-11-24T18:00:00Z";
  expect(await boat.ask("PUT", `${COURSE}/targetArrivalTime`, { value })).toEqual(DONE);
  expect(await info(boat)).toMatchObject({
    previousPoint: { position: { latitude: 52.1, longitude: 4.5 } },
    arrivalCircle: 25,
    targetArrivalTime: value,
  });
  const { targetSpeed, distance } = await values(boat);
  expect(targetSpeed).toBeCloseTo(distance / (6 * 3600), 2);
});

describe("is refused, and the course stays:", () => {
  test.each([
    ["no token", "destination", { position }, { token: "" }, 401],
    ["a page of the Internet", "destination", { position }, { headers: { origin: "https://evil.example" } }, 403],
    ["a place that is none", "destination", { position: { latitude: 91, longitude: 0 } }, {}, 400],
    ["a number that is none", "destination", '{"position":{"latitude":1e999,"longitude":0}}', {}, 400],
    ["nothing", "destination", {}, {}, 400],
    ["an empty body", "destination", undefined, {}, 400],
    ["no JSON", "destination", "{", {}, 400],
    ["a route as a waypoint", "destination", { href: "/resources/routes/x" }, {}, 400],
    ["a path as a waypoint", "destination", { href: "/resources/waypoints/../../tokens" }, {}, 400],
    ["a route that is not there", "activeRoute", { href: "/resources/routes/x" }, {}, 404],
    ["a negative circle", "arrivalCircle", { value: -1 }, {}, 400],
    ["a time that is none", "targetArrivalTime", { value: "tomorrow" }, {}, 400],
    ["a month that is none", "targetArrivalTime", { value: "2026-13-01T18:00:00Z" }, {}, 400],
    ["a day that is none", "targetArrivalTime", { value: "2026-02-30T00:00:00Z" }, {}, 400],
    ["the next point without a route", "activeRoute/nextPoint", {}, {}, 400],
    ["a new reading without a route", "activeRoute/refresh", undefined, {}, 400],
  ])("%s", async (_what, path, body, how, status) => {
    const boat = setUp();
    boat.sail(52, 4);
    expect((await boat.ask("PUT", `${COURSE}/${path}`, body, how)).status).toBe(status);
    expect(boat.disk.course).toBeUndefined();
    expect((await info(boat)).nextPoint).toBeNull();
  });

  test("a destination while the boat does not know where it is", async () => {
    const boat = setUp();
    const set = () => boat.ask("PUT", `${COURSE}/destination`, { position });
    expect((await set()).status).toBe(400);
    boat.sail(52, 4);
    boat.clock.advance(11_000);
    expect((await set()).status).toBe(400);
    boat.sail(52, 4, { hasFix: false });
    expect((await set()).status).toBe(400);
    boat.sail(52, 4);
    expect((await set()).status).toBe(200);
  });

  test("what a full disk does not take", async () => {
    const boat = setUp();
    boat.sail(52, 4);
    boat.disk.isFull = true;
    expect((await boat.ask("PUT", `${COURSE}/destination`, { position })).status).toBe(503);
    expect((await info(boat)).nextPoint).toBeNull();
  });
});

test("the sentences of a held course are those of a plotter", async () => {
  const boat = setUp();
  boat.sail(52, 4);
  await boat.ask("PUT", `${COURSE}/destination`, { position, arrivalCircle: 40_000 });
  boat.sail(52.01, 4.5);
  const sentences = boat.sail(52.01, 4.5);
  const start = (id: string) => sentences.find((line) => line.startsWith(`$GP${id}`))?.replace(/\*..$/, "");
  expect(start("RMB")).toBe("$GPRMB,A,0.537,R,,2,5200.0000,N,00500.0000,E,18.490,091.7,6.0,A,A");
  expect(start("APB")).toBe("$GPAPB,A,A,0.537,R,N,A,V,,,2,091.7,T,091.7,T,A");
  expect(start("XTE")).toBe("$GPXTE,A,A,0.537,R,N,A");
  expect(start("BWC")).toMatch(/^\$GPBWC,[^,]*,5200\.0000,N,00500\.0000,E,091\.7,T,089\.7,M,18\.490,N,2,A$/);
});

test("the boat has arrived within the circle, whose radius is in metres", async () => {
  const boat = setUp();
  boat.sail(52, 4);
  await boat.ask("PUT", `${COURSE}/destination`, { position, arrivalCircle: 100 });
  // A thousandth of a degree of latitude is 111 m.
  const arrival = (latitude: number) =>
    boat
      .sail(latitude, 5)
      .find((line) => line.startsWith("$GPRMB"))
      ?.match(/,([AV]),[AV]\*/)?.[1];
  expect([arrival(52.001), arrival(52.0008)]).toEqual(["V", "A"]);
});

describe("beside a plotter on the bus", () => {
  const v1 = async (boat: Boat, path: string) =>
    (await boat.ask("GET", `v1/api/vessels/self/navigation/courseGreatCircle/${path}`)).body;

  test("the held course counts until it is cleared, on all outlets, and at once", async () => {
    const boat = setUp();
    boat.sail(52, 4);
    plot(boat);
    // Names come with the second round, because the number of the waypoint comes last.
    plot(boat);
    expect((await v1(boat, "nextPoint/position")).value).toEqual({ latitude: 40, longitude: 3 });
    expect((await info(boat)).nextPoint).toMatchObject({ name: "Plotter" });
    await boat.ask("PUT", `${COURSE}/destination`, { position });
    // Nothing of the plotter is left.
    expect((await boat.ask("GET", "v1/api/vessels/self/navigation/courseGreatCircle")).status).toBe(404);
    boat.sail(52.01, 4.5);
    plot(boat);
    const next = await v1(boat, "nextPoint/position");
    expect(next).toMatchObject({ value: position, $source: "hub.course" });
    expect((await v1(boat, "crossTrackError")).value).toBeCloseTo(-994.26, 0);
    const lines = boat.sail(52.01, 4.5);
    expect(lines.filter((line) => line.startsWith("$GPRMB"))).toHaveLength(1);

    await boat.ask("DELETE", COURSE);
    expect((await info(boat)).nextPoint).toBeNull();
    plot(boat, 41);
    expect((await v1(boat, "nextPoint/position")).value).toEqual({ latitude: 41, longitude: 3 });
    expect((await v1(boat, "crossTrackError")).value).toBe(77);
    expect(boat.sail(52.01, 4.5).join()).not.toContain("$GPRMB");
    plot(boat, 41);
    boat.clock.advance(200);
    expect((await info(boat)).nextPoint).toMatchObject({ position: { latitude: 41, longitude: 3 } });
  });

  test("a held course without a position of the boat does not give way to the plotter's", async () => {
    const boat = setUp();
    boat.sail(52, 4);
    await boat.ask("PUT", `${COURSE}/destination`, { position });
    boat.clock.advance(70_000);
    plot(boat);
    expect((await boat.ask("GET", "v1/api/vessels/self/navigation/courseGreatCircle")).status).toBe(404);
    expect((await info(boat)).nextPoint.position).toEqual(position);
    expect(await values(boat)).toEqual({ calcMethod: "GreatCircle" });
  });
});

describe("values to the destination go with the position of the boat", () => {
  const held = async () => {
    const boat = setUp();
    boat.sail(52, 4);
    const { values: got } = boat.connect("?subscribe=self");
    await boat.ask("PUT", `${COURSE}/destination`, { position });
    boat.clock.advance(100);
    boat.sail(52, 4.5);
    const latest = () =>
      Object.fromEntries(got.filter(([path]) => path.startsWith("navigation.course.calcValues."))) as Record<
        string,
        unknown
      >;
    boat.clock.advance(100);
    expect(latest()["navigation.course.calcValues.distance"]).toEqual(expect.any(Number));
    return { boat, latest };
  };
  const ways = ["distance", "bearingTrue", "velocityMadeGood", "timeToGo", "crossTrackError"];
  const areGone = (latest: Record<string, unknown>): void => {
    for (const way of ways) expect(latest[`navigation.course.calcValues.${way}`], way).toBeNull();
  };

  test("when hub-cand goes", async () => {
    const { boat, latest } = await held();
    boat.goodbye();
    boat.clock.advance(100);
    areGone(latest());
    expect(await values(boat)).toEqual({ calcMethod: "GreatCircle" });
  });

  test("when the broker goes without a word", async () => {
    const { boat, latest } = await held();
    boat.clock.advance(12_000);
    areGone(latest());
  });
});

test("on the last leg of a round trip a change of the route keeps the leg", async () => {
  const boat = setUp();
  boat.sail(52, 4);
  const around = (name: string) => route(name, [4, 52], [5, 52], [5, 53], [4, 52]);
  const { id } = (await boat.ask("POST", `${RESOURCES}/routes`, around("R"))).body;
  await boat.ask("PUT", `${COURSE}/activeRoute`, { href: `/resources/routes/${id}`, pointIndex: 3 });
  expect(await boat.ask("PUT", `${RESOURCES}/routes/${id}`, around("Round"))).toMatchObject({ status: 200 });
  await boat.ask("PUT", `${COURSE}/activeRoute/refresh`);
  expect((await info(boat)).activeRoute).toMatchObject({ name: "Round", pointIndex: 3 });
});

test("a course without a cross-track error has none of the course before", async () => {
  const boat = setUp();
  boat.sail(52, 4);
  await boat.ask("PUT", `${COURSE}/destination`, { position });
  const before = boat.sail(52.01, 4.5).join();
  expect(before).toMatch(/\$GPRMB,A,0\.\d+,/);
  expect(before).toContain("$GPXTE,A,A,");
  // A person overboard: the place of the boat.
  await boat.ask("PUT", `${COURSE}/destination`, { position: { latitude: 52.01, longitude: 4.5 } });
  const after = boat.sail(52.01, 4.5).join();
  expect(after).toContain("$GPRMB,V,,");
  expect(after).toContain("$GPAPB,V,V,,");
  expect(after).not.toContain("$GPXTE,A,A,");
  expect((await boat.ask("GET", "v1/api/vessels/self/navigation/courseGreatCircle/crossTrackError/value")).status).toBe(
    404,
  );
});

test("a position that the broker has kept is none of the boat's", async () => {
  const [boat, nowhere] = [setUp(), setUp()];
  boat.retained("navigation", {
    position: { hasFix: true, latitude: 52, longitude: 4 },
    speed_course: { cog: 90, sog: 6, variation: 2 },
  });
  const put = (to: Boat) => to.ask("PUT", `${COURSE}/destination`, { position });
  expect(await put(boat)).toEqual(await put(nowhere));
  expect(await values(boat)).toEqual(await values(nowhere));
  expect((await info(boat)).previousPoint).toEqual((await info(nowhere)).previousPoint);
});

test("the stream has the course of version 2, with null after its end, and the tree has not", async () => {
  const boat = setUp();
  boat.sail(52, 4);
  const { values: got } = boat.connect("?subscribe=self");
  await boat.ask("PUT", `${COURSE}/destination`, { position, arrivalCircle: 10 });
  boat.clock.advance(100);
  boat.sail(52, 4.5);
  const latest = () => Object.fromEntries(got.filter(([path]) => path.startsWith("navigation.course.")));
  const course = latest();
  if (withoutServer === undefined) {
    const members = ["startTime", "arrivalCircle", "previousPoint", "nextPoint"];
    const delta = Object.fromEntries(members.map((name) => [name, course[`navigation.course.${name}`]]));
    const whole = { targetArrivalTime: null, activeRoute: null, ...delta };
    expect(faultOfSchema("CourseDeltaV2Schema", whole)).toBeUndefined();
  }
  expect(course["navigation.course.nextPoint"]).toEqual({ type: "Location", position });
  expect(course["navigation.course.calcValues.distance"]).toBeGreaterThan(30_000);
  const tree = (await boat.ask("GET", "v1/api/vessels/self/navigation")).body;
  expect(Object.keys(tree)).toContain("courseGreatCircle");
  expect(Object.keys(tree)).not.toContain("course");
  // One that connects later gets it too.
  expect(boat.connect().values.map(([path]) => path)).toContain("navigation.course.nextPoint");
  await boat.ask("DELETE", COURSE);
  boat.clock.advance(100);
  expect(new Set(Object.values(latest()))).toEqual(new Set([null]));
});
