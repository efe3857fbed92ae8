/** A definition list of names and values; a value that is dead is struck out. */
export type Fact = readonly [name: string, value: string, isDead?: boolean];

export function Facts({ rows }: { readonly rows: readonly Fact[] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value, isDead = false]) => (
        <div key={name} class={isDead ? "dead" : ""}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
