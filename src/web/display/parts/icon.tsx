/** A drawing of one path in a box of 24 by 24, beside a text that says the same. */
export const Icon = ({ d, ...look }: { readonly d: string | undefined; readonly class?: string }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true" {...look}>
    <path d={d} />
  </svg>
);
