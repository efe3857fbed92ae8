/** A button that says a text. */
import type { ButtonHTMLAttributes } from "preact";
import { say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";

interface ButtonProps extends Omit<ButtonHTMLAttributes, "ref"> {
  readonly says: PlainText;
}

export const Button = ({ says, ...attributes }: ButtonProps) => (
  <button type="button" {...attributes}>
    {say(says)}
  </button>
);
