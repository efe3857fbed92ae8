/** The list of voyages, and one of them: map, figures, and the log book day by day. */

import { useEffect, useState } from "preact/hooks";
import type { Position } from "../../../core/nav/great-circle.ts";
import { entryText } from "../../../core/voyages/kinds/index.ts";
import type { Measured } from "../../../core/voyages/kinds/kind.ts";
import type { TrackPoint } from "../../../core/voyages/lines.ts";
import { positionOf } from "../../../core/voyages/observation.ts";
import {
  authorOf,
  type Entry,
  type Figures,
  figuresOf,
  type ListedVoyage,
  textOf,
  type Voyage,
} from "../../../core/voyages/voyage.ts";
import { TableHead } from "../bus/wide-table.tsx";
import { boatOnPaper } from "../data/boat-on-paper.ts";
import { settings } from "../data/settings.ts";
import { stored } from "../data/stored.ts";
import { depthFrom } from "../instruments/depth.ts";
import { momentText, offsetText, timeText } from "../instruments/moments.ts";
import { coordinateText, type MeasureName, measureText } from "../instruments/units.ts";
import { dayText, numberText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import { hash } from "../navigation/address.ts";
import { Button } from "../parts/button.tsx";
import { type Fact, Facts } from "../parts/facts.tsx";
import { Form } from "../parts/form.tsx";
import { HoldButton } from "../parts/hold-button.tsx";
import { UploadButton } from "../parts/upload-button.tsx";
import { pastTrack } from "../trend/past-track.ts";
import { daysOf, type VoyageDay } from "./days.ts";
import { hoursText } from "./hours.ts";
import { PolarRose } from "./polar-rose.tsx";
import { smallPicture } from "./small-picture.ts";
import {
  addPicture,
  addTracks,
  correctEntry,
  fileHref,
  list,
  loadList,
  loadPolar,
  loadVoyage,
  pictureHref,
  polar,
  removeVoyage,
  shown,
  writeEntry,
} from "./voyage-api.ts";
import { VoyageMap } from "./voyage-map.tsx";
import { WindRose } from "./wind-rose.tsx";

const REFRESH_MS = 30_000;

const withUnit = (measure: MeasureName, value: number): string => {
  const { units } = settings.value;
  return `${numberText(measureText(measure, units, value))} ${units[measure]}`;
};

function factsOf(figures: Figures): readonly Fact[] {
  const { averageKnots, maxSog, maxStw, maxWind, engineSeconds, gapMiles } = figures;
  const engines = Object.entries(engineSeconds);
  return [
    [say("Over ground"), withUnit("distance", figures.groundMiles)],
    ...(gapMiles > 0 ? [[say("of it without fixes"), withUnit("distance", gapMiles)] as const] : []),
    [say("Through the water"), withUnit("distance", figures.waterMiles)],
    [say("Under way"), hoursText(figures.underwaySeconds)],
    [say("At rest"), hoursText(figures.restSeconds)],
    [say("Under sail"), hoursText(figures.sailSeconds)],
    ...engines.map(([engine, seconds]) => [say("Engine {engine}", { engine }), hoursText(seconds)] as const),
    ...(figures.fuelLitres > 0 ? [[say("Fuel"), `${numberText(figures.fuelLitres.toFixed(1))} L`] as const] : []),
    ...(averageKnots === undefined ? [] : [[say("Average speed"), withUnit("speed", averageKnots)] as const]),
    ...(maxSog === undefined ? [] : [[say("Greatest speed over ground"), withUnit("speed", maxSog)] as const]),
    ...(maxStw === undefined ? [] : [[say("Greatest speed through the water"), withUnit("speed", maxStw)] as const]),
    ...(maxWind === undefined ? [] : [[say("Strongest wind"), withUnit("wind", maxWind)] as const]),
  ];
}

/** The author of this display's last entry, so that it is written once. */
const keptAuthor = stored("hub-voyage-author", (json) => (typeof json === "string" ? json : undefined));
const lastAuthor = (): string => keptAuthor.read() ?? "";
/** A tool that reads a file of tracks. */
function AddTracks() {
  const [state, setState] = useState("");
  const add = async (file: File): Promise<void> => {
    setState(say("Reading"));
    setState(await addTracks(file));
    void loadList();
  };
  return (
    <section class="unit">
      <h2>{say("Old tracks")}</h2>
      <UploadButton accept=".gpx" onFile={add}>
        {say("A file of GPX, whose tracks become voyages")}
      </UploadButton>
      {state !== "" && <p role="status">{state}</p>}
    </section>
  );
}

function Row({ voyage, isOpen }: { readonly voyage: ListedVoyage; readonly isOpen: boolean }) {
  const { name, title, from, until, figures } = voyage;
  return (
    <li>
      <a href={`#/voyages/${name}`}>
        <b>{momentText(from)}</b>
        <span>{isOpen ? say("lasts") : say("to {moment}", { moment: momentText(until) })}</span>
        <span>{withUnit("distance", figures.groundMiles)}</span>
        {title !== "" && <span>{title}</span>}
      </a>
    </li>
  );
}

function List() {
  const known = list.value;
  useEffect(() => {
    void loadList();
    void loadPolar();
    const timer = setInterval(() => void loadList(), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  if (typeof known === "string")
    return (
      <p class="nothing">{known === "" ? say("The boat keeps no voyages: hub-history --voyages does.") : known}</p>
    );
  // All of the page appears at once: what is below the polar would move.
  if (known === undefined || polar.value === undefined) return <p class="nothing">{say("Loading")}</p>;
  return (
    <div class="voyages">
      {known.failure !== undefined && <p role="status">{known.failure}</p>}
      {known.voyages.length === 0 && (
        <p class="nothing">{say("No voyage yet: one begins when the boat gets under way.")}</p>
      )}
      <ul class="voyage-list">
        {known.voyages.map((voyage) => (
          <Row key={voyage.name} voyage={voyage} isOpen={voyage.name === known.open} />
        ))}
      </ul>
      <PolarRose />
      <AddTracks />
      <p class="voyage-room">
        {say("Room for {count} pictures, {size} MB", {
          count: known.picturesLeft.count,
          size: Math.floor(known.picturesLeft.bytes / 1e6),
        })}
      </p>
    </div>
  );
}

interface EditProps {
  readonly text: string;
  readonly send: (text: string, author: string) => Promise<string>;
  readonly done: () => void;
}

function Edit({ text: before, send, done }: EditProps) {
  const [text, setText] = useState(before);
  const [author, setAuthor] = useState(lastAuthor());
  const [failure, setFailure] = useState("");
  const submit = async (): Promise<void> => {
    keptAuthor.write(author);
    const reason = await send(text, author);
    setFailure(reason);
    if (reason === "") done();
  };
  return (
    <Form class="voyage-edit" onSubmit={() => void submit()}>
      <label>
        {say("Text")}
        <textarea maxLength={2000} required value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <label>
        {say("Written by")}
        <input maxLength={100} value={author} onInput={(event) => setAuthor(event.currentTarget.value)} />
      </label>
      <Button says="Save" type="submit" />
      <Button says="Cancel" onClick={done} />
      {failure !== "" && <p role="alert">{failure}</p>}
    </Form>
  );
}

/** The texts of an entry that stood before the last one, each with its author. */
function Former({ entry }: { readonly entry: Entry }) {
  const last = entry.edits.at(-1);
  if (last === undefined) return null;
  const former = [entry, ...entry.edits.slice(0, -1)].filter(({ text = "" }) => text !== "");
  return (
    <details>
      <summary>{say("corrected {moment}", { moment: momentText(last.time) })}</summary>
      {former.length === 0 && <p>{say("There was no text before.")}</p>}
      {former.map(({ text, author, time }, at) => (
        <div key={at}>
          <del>{text}</del>
          <small>
            {author} {momentText(time)}
          </small>
        </div>
      ))}
    </details>
  );
}

function Pictures({ name, entry }: { readonly name: string; readonly entry: Entry }) {
  return (
    <>
      {entry.pictures.map(({ picture, author, time }) => (
        <a key={picture} class="voyage-picture" href={pictureHref(name, picture)} target="_blank" rel="noreferrer">
          <img
            src={pictureHref(name, picture)}
            loading="lazy"
            alt={say("Picture {moment}", { moment: momentText(time) })}
          />
          {author !== undefined && <small>{author}</small>}
        </a>
      ))}
    </>
  );
}

function AddPicture({
  name,
  entry,
  done,
}: {
  readonly name: string;
  readonly entry: number;
  readonly done: () => void;
}) {
  const [state, setState] = useState("");
  const add = async (file: File): Promise<void> => {
    setState(say("Reading"));
    try {
      setState(await addPicture(name, entry, await smallPicture(file), lastAuthor()));
      done();
    } catch {
      setState(say("The browser cannot read this picture."));
    }
  };
  return (
    <p>
      <UploadButton accept="image/*" onFile={add}>
        {say("Add a picture")}
      </UploadButton>
      {state !== "" && <span role="status">{state}</span>}
    </p>
  );
}

const valueText = (value: Measured | number): string =>
  typeof value === "number" ? numberText(String(value)) : withUnit(value.measure, value.value);

/** A depth with its reference: that of the settings, if the offset of the sounder led there at the time. */
function Depth({ depth, depthOffset }: { readonly depth: number; readonly depthOffset: number | undefined }) {
  const { from, add } = depthFrom(settings.value.depthReference, depthOffset);
  return (
    <>
      {withUnit("depth", depth + add)}
      <small>{say(`below ${from}`)}</small>
    </>
  );
}

function LogRow({ name, entry }: { readonly name: string; readonly entry: Entry }) {
  /** Corrections that were there when this one was begun. */
  const [seen, setSeen] = useState<number>();
  const { cog, sog, windDirection, windSpeed, depth, depthOffset, pressure, ...conditions } = entry.conditions ?? {};
  const place = positionOf(conditions);
  const author = authorOf(entry);
  const done = (): void => {
    setSeen(undefined);
    void loadVoyage(name);
  };
  const correct = async (text: string, by: string): Promise<string> => {
    const failure = await correctEntry(name, entry.entry, text, by, seen ?? 0);
    if (failure === "") return "";
    // The text of another display is shown above this one, which may be sent again then.
    const now = (await loadVoyage(name))?.entries.find((each) => each.entry === entry.entry);
    if (now !== undefined) setSeen(now.edits.length);
    return failure;
  };
  return (
    <tr data-entry={entry.entry}>
      <th scope="row">{timeText(entry.time)}</th>
      <td>
        {entryText(entry, said, valueText)}
        {textOf(entry) !== "" && <p class="voyage-text">{textOf(entry)}</p>}
        {author !== undefined && <small>{author}</small>}
        <Former entry={entry} />
        <Pictures name={name} entry={entry} />
        {seen !== undefined ? (
          <Edit text={textOf(entry)} send={correct} done={done} />
        ) : (
          <div class="voyage-correct">
            <Button
              says={textOf(entry) === "" ? "Add a text" : "Correct"}
              onClick={() => setSeen(entry.edits.length)}
            />
            <AddPicture name={name} entry={entry.entry} done={() => void loadVoyage(name)} />
          </div>
        )}
      </td>
      <td>
        {place !== undefined && (
          <>
            {coordinateText(place.latitude, "latitude")}
            <br />
            {coordinateText(place.longitude, "longitude")}
          </>
        )}
      </td>
      <td>{cog === undefined ? "" : `${Math.round(cog) % 360}°`}</td>
      <td>{sog === undefined ? "" : withUnit("speed", sog)}</td>
      <td>
        {windSpeed === undefined ? "" : withUnit("wind", windSpeed)}
        {windDirection === undefined ? "" : ` ${Math.round(windDirection) % 360}°`}
      </td>
      <td>{depth !== undefined && <Depth depth={depth} depthOffset={depthOffset} />}</td>
      <td>{pressure === undefined ? "" : withUnit("airPressure", pressure)}</td>
    </tr>
  );
}

/** Points of a line over the plot, which is drawn with each frame. */
const MAX_PLOT_POINTS = 2000;

function partsOf(points: readonly TrackPoint[]): readonly (readonly Position[])[] {
  const step = Math.ceil(points.length / MAX_PLOT_POINTS);
  const parts: Position[][] = [];
  for (const [at, [, latitude, longitude, gap]] of points.entries()) {
    if (at === 0 || gap === 1) parts.push([]);
    if (gap === 1 || at % step === 0 || at === points.length - 1) parts.at(-1)!.push({ latitude, longitude });
  }
  return parts;
}

/** Lays the track of a day over the plot of the ships, or takes it away. */
function OnPlot({ id, points }: { readonly id: string; readonly points: readonly TrackPoint[] }) {
  const isShown = pastTrack.value?.id === id;
  const toggle = (): void => {
    pastTrack.value = isShown ? undefined : { id, parts: partsOf(points) };
  };
  return <Button says={isShown ? "Hide on the plot" : "Show on the plot"} onClick={toggle} />;
}

function Day({
  name,
  boat,
  day: { day, entries, points, figures, part },
}: {
  readonly name: string;
  readonly boat: string;
  readonly day: VoyageDay;
}) {
  const moments = [...points.map(([time]) => time), ...entries.map(({ time }) => time)];
  // A day on which the clocks are changed has two.
  const zones = [...new Set(moments.map(offsetText))];
  return (
    <section class="voyage-day" aria-label={dayText(day)}>
      <h2>{dayText(day)}</h2>
      <p class="voyage-boat">
        {say("{what}: {text}", { what: say("Boat and call sign"), text: "" })}
        <b>{boat}</b>
        <br />
        {say("Times: {zone}", { zone: zones.join(", ") })}
      </p>
      {entries[0]?.crew !== undefined && (
        <p class="voyage-text">
          {say("Crew")}: {[...new Set(entries.flatMap(({ crew = "" }) => (crew === "" ? [] : [crew])))].join(" / ")}
        </p>
      )}
      <div class="voyage-figures">
        <Facts rows={factsOf(figures)} />
        <WindRose part={part} />
      </div>
      {points.length > 1 && (
        <>
          <VoyageMap points={points} marks={entries.flatMap(({ conditions }) => positionOf(conditions ?? {}) ?? [])} />
          <OnPlot id={`${name} ${day}`} points={points} />
        </>
      )}
      <div class="wide-table">
        <table>
          <TableHead titles={["Time", "Entry", "Position", "Course", "Speed", "Wind", "Depth", "Pressure"]} />
          <tbody>
            {entries.map((entry) => (
              <LogRow key={entry.entry} name={name} entry={entry} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="voyage-signature">{say("Signature of the skipper")}</p>
    </section>
  );
}

function Whole({ name, voyage }: { readonly name: string; readonly voyage: Voyage }) {
  const [written, setWritten] = useState<"note" | "watch" | "crew">();
  const [boat, setBoat] = useState(boatOnPaper.read() ?? "");
  const [failure, setFailure] = useState("");
  const days = daysOf(voyage);
  const done = (): void => {
    setWritten(undefined);
    void loadVoyage(name);
  };
  const remove = async (): Promise<void> => {
    const reason = await removeVoyage(name);
    setFailure(reason);
    if (reason !== "") return;
    if (pastTrack.peek()?.id.startsWith(name)) pastTrack.value = undefined;
    // Not from the page to which the crew has gone meanwhile, and Back does not lead to this one.
    if (hash.peek() === `#/voyages/${name}`) location.replace("#/voyages");
  };
  return (
    <div class="voyages">
      <div class="voyage-tools">
        <a href="#/voyages">{say("All voyages")}</a>
        <label>
          {say("Boat and call sign")}
          <input
            maxLength={100}
            value={boat}
            onInput={({ currentTarget: { value } }) => {
              setBoat(value);
              boatOnPaper.write(value || undefined);
            }}
          />
        </label>
        <Button says="Print" onClick={() => print()} />
        {["gpx", "csv", "kml"].map((ending) => (
          <a key={ending} download href={fileHref(name, ending)}>
            {ending.toUpperCase()}
          </a>
        ))}
        <Button says="Write a note" onClick={() => setWritten("note")} />
        {!voyage.hasEnded && <Button says="Change of watch" onClick={() => setWritten("watch")} />}
        <Button says="Crew" onClick={() => setWritten("crew")} />
        <HoldButton of={name} onHeld={() => void remove()}>
          {say("Remove")}
        </HoldButton>
      </div>
      {failure !== "" && <p role="alert">{failure}</p>}
      {written !== undefined && (
        <Edit
          text={written === "crew" ? (voyage.entries.at(-1)?.crew ?? "") : ""}
          send={(text, author) => writeEntry(name, written, text, author)}
          done={done}
        />
      )}
      <h1 class="voyage-title">
        {momentText(voyage.from)} {voyage.hasEnded ? say("to {moment}", { moment: momentText(voyage.until) }) : ""}
      </h1>
      {days.length > 1 && (
        <section class="unit">
          <h2>{say("Whole voyage")}</h2>
          <Facts rows={factsOf(figuresOf(voyage))} />
          <VoyageMap points={voyage.points} marks={[]} />
        </section>
      )}
      {days.map((day) => (
        <Day key={day.day} name={name} boat={boat} day={day} />
      ))}
    </div>
  );
}

function One({ name }: { readonly name: string }) {
  const known = shown.value;
  useEffect(() => {
    shown.value = undefined;
    void loadVoyage(name);
    const timer = setInterval(() => void loadVoyage(name), REFRESH_MS);
    return () => clearInterval(timer);
  }, [name]);
  if (typeof known === "string")
    return <p class="nothing">{known === "" ? say("The voyage cannot be read now.") : known}</p>;
  if (known === undefined || known.name !== name) return <p class="nothing">{say("Loading")}</p>;
  return (
    <>
      {known.failure !== undefined && <p role="status">{known.failure}</p>}
      <Whole name={name} voyage={known.voyage} />
    </>
  );
}

export function VoyagesView() {
  const name = hash.value.split("/")[2] ?? "";
  return name === "" ? <List /> : <One key={name} name={name} />;
}
