/** The boat's own charts: those that are there with their sources, room that is left, and a form for another one. */
import { useEffect, useState } from "preact/hooks";
import { forgetChart } from "../chart/chart-list.ts";
import { momentText } from "../instruments/moments.ts";
import { bytesUnit, numberText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import { Button } from "../parts/button.tsx";
import { UploadButton } from "../parts/upload-button.tsx";
import { attempt } from "./actions.ts";
import { ApiError, type ChartList, deleteChart, listCharts, NOT_FOUND } from "./api.ts";
import { stopUpload, upload, uploadChart, uploadFailure } from "./chart-upload.ts";

const MEGABYTE = 1e6;

const sizeText = (bytes: number): string =>
  bytes < 1000 * MEGABYTE
    ? `${numberText((bytes / MEGABYTE).toFixed(bytes < 10 * MEGABYTE ? 1 : 0))}\u202f${bytesUnit("megabyte")}`
    : `${numberText((bytes / (1000 * MEGABYTE)).toFixed(1))}\u202f${bytesUnit("gigabyte")}`;

/** Whose data a chart is, as its file says; undefined until it is known. */
function useSource(name: string): string | undefined {
  const [source, setSource] = useState<string>();
  useEffect(() => {
    void import("../chart/chart-files.ts")
      .then(({ openChart }) => openChart(name))
      .then((chart) => setSource(chart === undefined ? say("cannot be drawn") : chart.attribution));
  }, [name]);
  return source;
}

function ChartRow({ chart, remove }: { readonly chart: ChartList["charts"][number]; readonly remove: () => void }) {
  const { name, bytes, at } = chart;
  const source = useSource(name);
  const [isAsked, ask] = useState(false);
  return (
    <li>
      <span>
        <b>{name.replace(/\.pmtiles$/, "")}</b>
        <small>{[sizeText(bytes), momentText(at), source].filter(Boolean).join(" · ")}</small>
      </span>
      <span class="actions">
        {isAsked ? (
          <>
            <Button says="Remove it for good" onClick={remove} />
            <Button says="Keep it" onClick={() => ask(false)} />
          </>
        ) : (
          <Button says="Remove" aria-label={`${say("Remove")} ${name}`} onClick={() => ask(true)} />
        )}
      </span>
    </li>
  );
}

function Progress() {
  const { name, sent, size } = upload.value ?? {};
  if (name === undefined || size === undefined) return null;
  return (
    <p class="upload" data-id="chart-upload">
      <label>
        {sent === undefined
          ? say("{file} is read", { file: name })
          : say("{file}: {sent} of {size}", { file: name, sent: sizeText(sent), size: sizeText(size) })}
        <progress max={size} value={sent} />
      </label>
      <Button says="Stop" onClick={stopUpload} />
    </p>
  );
}

export function BoatCharts() {
  const [list, setList] = useState<ChartList | "none">();
  const read = (): Promise<void> =>
    listCharts().then(setList, (error: unknown) => {
      if (error instanceof ApiError && error.status === NOT_FOUND) setList("none");
      else uploadFailure.value = (error as Error).message;
    });
  const isBusy = upload.value !== undefined;
  useEffect(() => {
    if (!isBusy) void read();
  }, [isBusy]);
  const remove = (name: string): void =>
    void attempt(async () => {
      await deleteChart(name);
      forgetChart(name);
      await read();
    });
  return (
    <section data-id="own-charts">
      <h2>{say("Charts of the boat's own")}</h2>
      <p class="hint">
        {say(
          "They lie above the coastline of the plots. PMTiles with pictures are taken as they are, MBTiles are converted here. hub does not check them.",
        )}
      </p>
      {list === "none" && <p>{say("The boat's computer keeps no charts.")}</p>}
      {list !== undefined && list !== "none" && (
        <>
          {list.charts.length === 0 && <p>{say("No chart yet.")}</p>}
          <ul class="app-list">
            {list.charts.map((chart) => (
              <ChartRow key={`${chart.name} ${chart.at}`} chart={chart} remove={() => remove(chart.name)} />
            ))}
          </ul>
          <Progress />
          {uploadFailure.value !== undefined && (
            <p class="failed" role="alert">
              {uploadFailure.value}
            </p>
          )}
          {!isBusy && (
            <UploadButton accept=".pmtiles,.mbtiles" onFile={(file) => uploadChart(file, list.room)}>
              {say("Upload")}
            </UploadButton>
          )}
          <p class="hint">{say("Room left: {size}", { size: sizeText(list.room) })}</p>
        </>
      )}
    </section>
  );
}
