/**
 * A part of the page that may fail alone: a fault of its rendering, of its effects or of a handler of an event in it is
 * shown in its place, with a button that opens it again; it is also opened again every five seconds.
 */

import { Component, type ComponentChildren, options } from "preact";
import { type Failure, noteFailure } from "../data/failures.ts";
import { say } from "../languages/say.ts";
import { Button } from "./button.tsx";

const RETRY_MS = 5000;

const timesText = (count: number): string => (count === 1 ? "" : say("It has failed {count} times.", { count }));

interface BoundaryProps {
  readonly name: string;
  /** Selector of the element in which the events of the part happen; without it, faults of handlers are not its own. */
  readonly within?: string;
  readonly children: ComponentChildren;
}

export class Boundary extends Component<BoundaryProps, { readonly failed?: Failure | undefined }> {
  override componentDidMount(): void {
    mounted.add(this);
  }

  override componentWillUnmount(): void {
    mounted.delete(this);
    clearTimeout(this.#retrying);
  }

  override componentDidCatch(error: unknown): void {
    this.setState({ failed: noteFailure(this.props.name, error) });
    clearTimeout(this.#retrying);
    this.#retrying = setTimeout(this.#open, RETRY_MS);
  }

  /** The element of the part around an element, if any. */
  around(element: Element): Element | undefined {
    const { within } = this.props;
    return within === undefined ? undefined : (element.closest(within) ?? undefined);
  }

  override render() {
    const { failed } = this.state;
    if (failed === undefined) return this.props.children;
    return (
      <div class="nothing" role="alert" data-id="failed">
        <p>
          {say("{part} cannot be shown: {message}. It is tried again every five seconds.", {
            part: this.props.name,
            message: failed.message,
          })}{" "}
          {timesText(failed.count)}
        </p>
        <Button says="Open it again" onClick={this.#open} />
      </div>
    );
  }

  #retrying: ReturnType<typeof setTimeout> | undefined;

  readonly #open = (): void => {
    clearTimeout(this.#retrying);
    this.setState({ failed: undefined });
  };
}

const mounted = new Set<Boundary>();

/** The event whose handler was called last. */
let handled: Event | undefined;
options.event = (event: Event) => {
  handled = event;
  return event;
};

// The browser reports the fault of a handler while the event is still on its way, with the element in `currentTarget`.
globalThis.addEventListener?.("error", ({ error }) => {
  if (handled === undefined || handled.eventPhase === Event.NONE) return;
  const { currentTarget: element } = handled;
  if (!(element instanceof Element)) return;
  const innermost = [...mounted].reduce<readonly [part: Boundary, around: Element] | undefined>((found, part) => {
    const around = part.around(element);
    return around === undefined || found?.[1].contains(around) === false ? found : [part, around];
  }, undefined);
  innermost?.[0].componentDidCatch(error);
});
