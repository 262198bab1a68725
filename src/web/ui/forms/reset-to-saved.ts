import type { DefaultValues, FieldValues, Path, UseFormReturn } from 'react-hook-form'

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** What stands in the fields when a form is sent, to be given to `resetToSaved` once it is saved. */
export const valuesSent = <T extends FieldValues>(form: UseFormReturn<T, unknown, T>): T =>
  structuredClone(form.getValues())

/** Resets a form to what was saved; what was typed since it was sent stays, as a change to be saved. */
export function resetToSaved<T extends FieldValues>(
  form: UseFormReturn<T, unknown, T>,
  saved: T,
  sent: T,
): void {
  const now = structuredClone(form.getValues())
  // The fields keep their registration: those that are not rendered again would have none.
  form.reset(saved as unknown as DefaultValues<T>, { keepDirtyValues: false, keepFieldsRef: true })
  for (const name of Object.keys(now) as Path<T>[])
    if (!isSame(now[name], sent[name])) form.setValue(name, now[name], { shouldDirty: true })
}
