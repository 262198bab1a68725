import type { Finding } from '#shared/doctor/doctor.ts'
import { causes } from '#shared/text/doctor/cause-texts.ts'

export type CauseName = keyof typeof causes

/** One sentence of a cause. @param values of the braces in its text */
export function found(
  name: CauseName,
  values: Readonly<Record<string, string | number>> = {},
  instanceName: string | null = null,
): Finding {
  const { check, state, text } = causes[name]
  const filled = text.replace(/\{(\w+)\}/g, (_whole, key: string) => String(values[key] ?? ''))
  return { check, state, cause: name, text: filled, instanceName }
}
