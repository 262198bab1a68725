import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A unique secret: wherever its text appears, it has leaked. */
export interface Canary {
  name: string
  value: string
}

/** A place that is searched, as text. */
export interface Place {
  name: string
  text: string
}

export interface Hit {
  place: string
  canary: string
  form: string
  around: string
}

/** The secret as it is, and in the usual encodings. */
function formsOf(value: string): [string, string][] {
  const bytes = Buffer.from(value)
  return [
    ['in clear', value],
    ['base64', bytes.toString('base64').replace(/=+$/, '')],
    ['base64url', bytes.toString('base64url')],
    ['hex', bytes.toString('hex')],
    ['as in a URL', encodeURIComponent(value)],
  ]
}

/** Where a secret was found. */
export function search(places: readonly Place[], canaries: readonly Canary[]): Hit[] {
  return places.flatMap((place) =>
    canaries.flatMap((canary) => {
      for (const [form, text] of formsOf(canary.value)) {
        const at = place.text.indexOf(text)
        if (at >= 0)
          return [
            {
              place: place.name,
              canary: canary.name,
              form,
              around: place.text.slice(Math.max(0, at - 120), at + 20),
            },
          ]
      }
      return []
    }),
  )
}

/** Secrets that the search misses in some encoding, which would make its result meaningless. */
export function missedBySearch(canaries: readonly Canary[]): string[] {
  return canaries.flatMap(({ name, value }) =>
    formsOf(value)
      .filter(
        ([, text]) => search([{ name: 'controle', text: `{"a":"${text}"}` }], [{ name, value }]).length === 0,
      )
      .map(([form]) => `${name} ${form}`),
  )
}

/** All files below a folder as one text, except those named `except`. */
export function filesBelow(folder: string, except: readonly string[] = []): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !except.includes(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}
