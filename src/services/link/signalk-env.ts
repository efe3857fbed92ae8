/** The port on which a request came, and the address of its client as in `StreamRequest`. */
export type Env = {
  Bindings: { port?: number; address?: string | undefined };
  /** Takes work from the budget of the host, as in `allowance.ts`. */
  Variables: { spend: (work: number) => void };
};
