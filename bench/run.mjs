/**
 * `node bench/run.mjs [SCENARIO|GROUP]...`: measures scenarios of `scenarios.mjs`; `npm run bench` measures all of its
 * groups. Each scenario has its own process, so that none inherits the heap and the compiled code of another.
 *
 * In every round each program has its turn with each input; figures are medians. With several programs, `times` is the
 * cost of a program divided by that of the first in the same round: median, minimum and maximum. BENCH_ROUNDS and
 * BENCH_WARM_UPS change the numbers of rounds; further variables are those of the scenarios. Standard error has
 * each measurement when it ends, unless they are many.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inTurns, median, medians, printTable } from "./rounds.mjs";
import { scenarios } from "./scenarios.mjs";

/** Scenarios of few rounds are slow. */
const SHOWN_ROUNDS = 11;

/** Whole numbers as they are, others with three digits or more. */
const textOf = (figure) =>
  Number.isNaN(figure)
    ? ""
    : Number.isInteger(figure)
      ? String(figure)
      : figure.toFixed(Math.abs(figure) < 10 ? 2 : Math.abs(figure) < 100 ? 1 : 0);

const timesOf = (own, theirs) => {
  const ratios = theirs.map((value, round) => value / own[round]);
  return `${textOf(median(ratios))} (${textOf(Math.min(...ratios))} to ${textOf(Math.max(...ratios))})`;
};

async function run({ title, open, rounds = 5, warmUps = 1 }) {
  const folder = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), "hub-bench-"));
  try {
    const opened = await open(folder);
    if (opened === undefined) return;
    const { inputs, programs, growth, close = () => {} } = opened;
    // A program that is not `for` an input leaves it out.
    const names = Object.keys(programs);
    const sides = inputs.flatMap((input) =>
      names.filter((name) => input.only === undefined || input.only.includes(name)).map((name) => ({ name, input })),
    );
    const times = Number(process.env.BENCH_ROUNDS ?? rounds);
    const measure = async ({ name, input }, round) => {
      const figures = await programs[name](input, round);
      const texts = Object.entries(figures).map(([column, figure]) => `${column} ${textOf(figure)}`);
      const title = `${round < 0 ? "warm-up" : `round ${round + 1}`}, ${input.name}, ${name}`;
      if (times <= SHOWN_ROUNDS) console.error(`${title}: ${texts.join(", ")}`);
      return figures;
    };
    const before = Number(process.env.BENCH_WARM_UPS ?? warmUps);
    const results = await inTurns(sides, { rounds: times, warmUps: before }, measure).finally(close);
    console.log(`\n${title}; ${times} rounds, Node ${process.version}`);
    const costs = results.map((measurements) => measurements.map((figures) => Object.values(figures)[0]));
    printTable(
      sides.map(({ name, input }, index) => {
        const first = sides.findIndex((side) => side.input === input);
        const figures = Object.entries(medians(results[index])).map(([column, figure]) => [column, textOf(figure)]);
        const more = () =>
          (median(costs[index]) - median(costs[index - 1])) / (input.count - sides[index - 1].input.count);
        return {
          "": input.name,
          ...(names.length > 1 && { program: name }),
          ...Object.fromEntries(figures),
          ...(growth !== undefined && { [growth]: index === 0 ? "" : textOf(more()) }),
          ...(names.length > 1 && { times: index === first ? "" : timesOf(costs[first], costs[index]) }),
        };
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const asked = process.argv.slice(2);
const all = Object.entries(scenarios);
const wanted = all.filter(([name, { group }]) =>
  asked.length === 0 ? group !== undefined : asked.includes(name) || asked.includes(group ?? name),
);
const unknown = asked.filter((word) => !all.some(([name, { group }]) => word === name || word === group));
if (unknown.length > 0) {
  console.error(
    `no such scenario: ${unknown.join(", ")}; there are\n${all.map(([name, { title }]) => `  ${name}: ${title}`).join("\n")}`,
  );
  process.exit(1);
}
if (wanted.length === 1) await run(wanted[0][1]);
else
  for (const [name] of wanted) {
    const { status } = spawnSync(process.execPath, ["--expose-gc", fileURLToPath(import.meta.url), name], {
      stdio: "inherit",
    });
    if (status !== 0) process.exit(status ?? 1);
  }
