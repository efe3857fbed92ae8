/** GPX in and out, read back by a parser of its own; hostile XML. */
import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import { gpxOf, MAX_GPX_BYTES, resourcesIn } from "../../../../src/services/link/signalk-v2/gpx.ts";
import { type Json, RESOURCES, route, setUp, track, waypoint } from "./held.ts";

const GPX = `${RESOURCES}/gpx`;
const XMLNS = 'xmlns="http://www.topografix.com/GPX/1/1"';

const file = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="a plotter" ${XMLNS}>
  <metadata><name>Trip</name></metadata>
  <wpt lat="52.1" lon="4.2"><ele>3.5</ele><name>Buoy &amp; pier</name><desc><![CDATA[a < b]]></desc><time>2026-11-24T11:00:00Z</time><sym>Flag</sym></wpt>
  <rte><name>To the island</name><rtept lat="52" lon="4"><name>A</name><desc>turn</desc></rtept><rtept lat="52.1" lon="4.1"/></rte>
  <rte><name>one point</name><rtept lat="52" lon="4"/></rte>
  <trk><name>Home</name><trkseg>
    <trkpt lat="52" lon="4"><time>2026-11-24T12:00:00Z</time></trkpt>
    <trkpt lat="52.1" lon="4.1"><time>2026-11-24T12:10:00Z</time></trkpt>
  </trkseg><trkseg><trkpt lat="1" lon="2"/><trkpt lat="3" lon="4"/></trkseg><trkseg><trkpt lat="5" lon="6"/></trkseg></trk>
</gpx>`;

const all = async (boat: ReturnType<typeof setUp>): Promise<Json> =>
  Object.fromEntries(
    await Promise.all(
      ["waypoints", "routes", "tracks"].map(async (kind) => {
        const { body } = await boat.ask("GET", `${RESOURCES}/${kind}`);
        const values = Object.values<Json>(body).map(({ timestamp: _timestamp, $source: _source, ...each }) => each);
        return [kind, values] as const;
      }),
    ),
  );

const content = {
  waypoints: [
    {
      name: "Buoy & pier",
      description: "a < b",
      feature: { type: "Feature", geometry: { type: "Point", coordinates: [4.2, 52.1, 3.5] }, properties: {} },
    },
  ],
  routes: [
    {
      name: "To the island",
      feature: {
        type: "Feature",
        geometry: {
          type: "LineString",
          coordinates: [
            [4, 52],
            [4.1, 52.1],
          ],
        },
        properties: { coordinatesMeta: [{ name: "A" }, { name: "" }] },
      },
    },
  ],
  tracks: [
    track(
      [
        [
          [4, 52],
          [4.1, 52.1],
        ],
        [
          [2, 1],
          [4, 3],
        ],
      ],
      {
        times: [
          ["2026-11-24T12:00:00Z", "2026-11-24T12:10:00Z"],
          [null, null],
        ],
      },
    ),
  ],
};

test("a file becomes resources, says what it left out, and is there once when it is read twice", async () => {
  const boat = setUp();
  const { status, body } = await boat.ask("POST", GPX, file);
  expect(status).toBe(201);
  // The metadata, the symbol, the time of a waypoint, the words of a route's point, the route and the segment of one
  // point.
  expect(body).toMatchObject({ state: "COMPLETED", statusCode: 201, notes: [], ignored: 6 });
  expect([body.waypoints, body.routes, body.tracks].map(({ length }) => length)).toEqual([1, 1, 1]);
  expect(await all(boat)).toEqual(content);
  expect((await boat.ask("POST", GPX, file)).body).toEqual(body);
  expect(await all(boat)).toEqual(content);
});

test("what was changed since the file was first read stays, and what was removed comes back", async () => {
  const boat = setUp();
  const { body } = await boat.ask("POST", GPX, file);
  const [id] = body.waypoints;
  const edited = waypoint(4.2, 52.1, "My buoy");
  await boat.ask("PUT", `${RESOURCES}/waypoints/${id}`, edited);
  await boat.ask("DELETE", `${RESOURCES}/routes/${body.routes[0]}`);
  expect((await boat.ask("POST", GPX, file)).body).toEqual(body);
  expect((await boat.ask("GET", `${RESOURCES}/waypoints/${id}`)).body).toMatchObject({ name: "My buoy" });
  expect((await boat.ask("GET", `${RESOURCES}/routes/${body.routes[0]}`)).status).toBe(200);
});

test("what is written is read again, and has the order of elements of the schema", async () => {
  const boat = setUp();
  await boat.ask("POST", GPX, file);
  const { status, body: text } = await boat.ask("GET", GPX, undefined, { token: "" });
  expect(status).toBe(200);
  const elements: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on("opentag", ({ local, uri }) => {
    expect(uri).toBe("http://www.topografix.com/GPX/1/1");
    elements.push(local);
  });
  parser.write(text).close();
  expect(elements.join(" ")).toBe(
    "gpx wpt ele name desc rte name rtept name rtept trk name trkseg trkpt time trkpt time trkseg trkpt trkpt",
  );
  const other = setUp();
  expect((await other.ask("POST", GPX, text)).body.ignored).toBe(0);
  expect(await all(other)).toEqual(content);
});

test("texts of any kind are written as XML", () => {
  const resources = setUp();
  const name = `<b>"&'\u0001\ud800 ]]>`;
  const one = { ...waypoint(4, 52), name };
  const text = gpxOf({ of: (kind) => (kind === "waypoints" ? [["x", one]] : []) });
  let read = "";
  const parser = new SaxesParser();
  parser.on("text", (chunk) => {
    read += chunk;
  });
  parser.write(text).close();
  expect(read.trim()).toBe(`<b>"&'\ufffd ]]>`);
  expect(resources.disk.resources.size).toBe(0);
});

describe("is refused, with nothing stored:", () => {
  const point = '<wpt lat="1" lon="2"><name>x</name></wpt>';
  const gpx = (inner: string) => `<gpx ${XMLNS}>${inner}</gpx>`;
  test.each([
    ["no XML", "hello"],
    ["nothing", ""],
    ["another document", "<kml/>"],
    ["an end that is missing", `<gpx ${XMLNS}>${point}`],
    [
      "entities that grow",
      `<!DOCTYPE gpx [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${gpx("<wpt lat='1' lon='1'><name>&b;</name></wpt>")}`,
    ],
    [
      "a file of the computer",
      `<!DOCTYPE gpx [<!ENTITY f SYSTEM "file:///etc/passwd">]>${gpx("<wpt lat='1' lon='1'><name>&f;</name></wpt>")}`,
    ],
    ["an entity that is none", gpx("<wpt lat='1' lon='1'><name>&f;</name></wpt>")],
    ["deep elements", gpx(`${"<a>".repeat(100)}${"</a>".repeat(100)}`)],
    ["a point without a place", gpx(`${point}<wpt lat="1"/>`)],
    ["a place that is none", gpx(`${point}<wpt lat="91" lon="1"/>`)],
    [
      "more waypoints than there is room for",
      gpx(Array.from({ length: 1001 }, (_, at) => `<wpt lat="1" lon="${at / 10}"/>`).join("")),
    ],
    ["a long file", gpx(`${point}${" ".repeat(5 << 20)}`)],
  ])("%s", async (_what, text) => {
    const boat = setUp();
    expect((await boat.ask("POST", GPX, text)).status).toBe(400);
    expect(boat.disk.resources.size).toBe(0);
  });

  test("a file without a token", async () => {
    const boat = setUp();
    expect((await boat.ask("POST", GPX, file, { token: "" })).status).toBe(401);
  });

  test("a route and its names go out too", async () => {
    const boat = setUp();
    await boat.ask("POST", `${RESOURCES}/routes`, route("R", [4, 52], [5, 53]));
    expect((await boat.ask("GET", GPX)).body).toContain(
      '<rte><name>R</name><rtept lat="52" lon="4"><name>R 0</name></rtept><rtept lat="53" lon="5"><name>R 1</name></rtept></rte>',
    );
  });
});

describe("a file in", () => {
  const name = "Café Ærø";
  const text = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>\n<gpx ${XMLNS}><wpt lat="1" lon="2"><name>${name}</name></wpt></gpx>`;
  const wide = (written: string, isBig: boolean) => {
    const bytes = Buffer.from(written, "utf16le");
    return isBig ? bytes.swap16() : bytes;
  };
  test.each([
    ["UTF-8", Buffer.from(text("UTF-8"))],
    ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${text("UTF-8")}`)],
    ["UTF-8 without a declaration", Buffer.from(text("UTF-8").replace(/<\?.*?\?>\n/, ""))],
    ["UTF-16, little end first", wide(`\uFEFF${text("UTF-16")}`, false)],
    ["UTF-16, big end first", wide(`\uFEFF${text("UTF-16")}`, true)],
    ["UTF-16 without a byte order mark", wide(text("UTF-16LE"), false)],
    ["ISO-8859-1", Buffer.from(text("ISO-8859-1"), "latin1")],
    ["ISO-8859-1 in other quotes", Buffer.from(text("iso-8859-1").replaceAll('"', "'"), "latin1")],
    ["windows-1252", Buffer.from(text("windows-1252"), "latin1")],
    ["UTF-8 that says UTF-16", Buffer.from(text("utf-16"))],
    ["UTF-8 with a byte order mark that says UTF-16", Buffer.from(`\uFEFF${text("UTF-16LE")}`)],
    ["UTF-8 with a byte order mark that says ISO-8859-1", Buffer.from(`\uFEFF${text("ISO-8859-1")}`)],
    ["UTF-16 with a byte order mark that says UTF-8", wide(`\uFEFF${text("UTF-8")}`, true)],
  ])("%s is read", async (_encoding, bytes) => {
    const { found } = await resourcesIn(bytes, async () => {});
    expect(found.map(({ resource }) => resource.name)).toEqual([name]);
  });

  test.each([
    ["an encoding that does not exist", Buffer.from(text("klingon")), "The encoding of the file is unknown: klingon."],
    ["UTF-8 that is none", Buffer.from(text("UTF-8"), "latin1"), "The file is not UTF-8."],
  ])("%s is refused", async (_what, bytes, message) => {
    await expect(resourcesIn(bytes, async () => {})).rejects.toThrow(message);
  });
});

describe("of a file of four megabytes", () => {
  const filled = (inner: (at: number) => string): Uint8Array => {
    let [text, at] = [`<gpx ${XMLNS}>`, 0];
    while (text.length < MAX_GPX_BYTES - 1000) text += inner(at++);
    return Buffer.from(`${text}</gpx>`);
  };
  const line = '<rte><name>r</name><rtept lat="1" lon="2"/><rtept lat="1" lon="3"/></rte>';

  test("equal elements are one resource, and other work goes on meanwhile", async () => {
    const bytes = filled(() => line);
    let turns = 0;
    const { found } = await resourcesIn(bytes, async () => void turns++);
    expect(found).toHaveLength(1);
    expect(turns).toBeGreaterThan(200);
  });

  test.each([
    ["waypoints", (at: number) => `<wpt lat="1" lon="${at / 1000}"/>`],
    ["routes", (at: number) => line.replace("r<", `r${at}<`)],
  ])("no more %s are read than there is room for", async (kind, inner) => {
    const bytes = filled((at) => inner(at % 90_000));
    let turns = 0;
    await expect(resourcesIn(bytes, async () => void turns++)).rejects.toThrow(`There are 1000 ${kind} at most.`);
    expect(turns).toBeLessThan(8);
  });

  test.each([
    ["points", "<trkseg>", '<trkpt lat="10" lon="20"/>', "A resource has 1048576 characters at most."],
    [
      "segments",
      "",
      '<trkseg><trkpt lat="1" lon="2"/><trkpt lat="1" lon="2"/></trkseg>',
      "A resource has 1048576 characters at most.",
    ],
    ["attributes", "<trkseg", ' a=""', "An element has too many attributes."],
  ])("a track is refused before its %s are more than a resource may have", async (_what, begin, each, message) => {
    const bytes = Buffer.from(`<gpx ${XMLNS}><trk>${begin}${each.repeat((MAX_GPX_BYTES - 100) / each.length)}`);
    await expect(resourcesIn(bytes, async () => {})).rejects.toThrow(message);
  });
});
