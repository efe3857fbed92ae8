/** The AIS stations of own ship: that of the settings, or those that the boat's transponders mark as their own. */

export class OwnStations {
  #given: number | undefined;
  /** MMSI that each transponder has last marked as its own, by its address: one that marks other ships hides one. */
  readonly #marked = new Map<number | undefined, number>();
  /** Their MMSIs; another list for each change. */
  numbers: readonly number[] = [];

  /** The MMSI of the settings overrules transponders, because some mark other ships too; undefined: there is none. */
  give(mmsi: number | undefined): void {
    this.#given = mmsi;
    this.#update();
  }

  /** Notes that the transponder at an address marks a station as its own. */
  mark(address: number | undefined, mmsi: number): void {
    if (this.#marked.get(address) === mmsi) return;
    this.#marked.set(address, mmsi);
    this.#update();
  }

  has(mmsi: number): boolean {
    return this.numbers.includes(mmsi);
  }

  #update(): void {
    this.numbers = this.#given === undefined ? [...new Set(this.#marked.values())] : [this.#given];
  }
}
