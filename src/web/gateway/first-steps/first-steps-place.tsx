import { storedChoice } from '#web/platform/browser/stored.ts'

/** The height that the card of the first steps last had in this browser, in pixels; 0: it was not shown. */
export const firstStepsHeight = storedChoice('primeiros-passos-altura', (stored) => Number(stored) || 0)

/** Keeps the place of the card until it is known whether there are still first steps. */
export function FirstStepsPlace() {
  const height = firstStepsHeight.get()
  return height > 0 ? <div className="mb-4" style={{ height }} /> : null
}
