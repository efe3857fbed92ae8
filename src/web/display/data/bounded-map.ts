/**
 * A Map with a maximum size. The entry that was set longest ago is dropped for a new one, so that repeated entries
 * stay.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    if (this.size >= this.#most) this.delete(this.keys().next().value as Key);
    return super.set(key, value);
  }
}
