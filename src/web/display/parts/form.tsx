/** A form that scripts alone read: the browser sends nothing. */
import type { FormHTMLAttributes } from "preact";

interface FormProps extends FormHTMLAttributes {
  readonly onSubmit: () => void;
}

export const Form = ({ onSubmit, ...attributes }: FormProps) => (
  <form
    {...attributes}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  />
);
