/** A Map with a largest size. The entry that was set longest ago makes room for a new one: what goes on being sent stays. */
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
