import { pathSign, type Reason } from '#shared/reasons/reasons.ts'

/** The name of a reason with that of the one that it is within; undefined for one that is not known. */
export function reasonPath(all: readonly Reason[], id: number | null): string | undefined {
  const reason = all.find((one) => one.id === id)
  const parent = reason && all.find((one) => one.id === reason.parentId)
  return reason && (parent ? parent.name + pathSign + reason.name : reason.name)
}
