import { readFileSync } from 'node:fs'

/** For tests: what was recorded, and what of it must be alike. */

/** The body that the real 2.3.7 posted. */
export function recorded(name: string) {
  return JSON.parse(readFileSync(new URL(`../payloads/${name}.json`, import.meta.url), 'utf8'))
}

// What a message carries without anybody reading it, and what depends on the picture.
const noise = new Set([
  'messageContextInfo',
  'jpegThumbnail',
  'waveform',
  'statusAttributions',
  'height',
  'width',
])
function isBytes(keys: string[]) {
  return keys.length > 4 && keys.every((key, index) => key === String(index))
}

/** `data.key.id:string`, one line a leaf; byte objects are one leaf, lists show their first item. */
export function shapeOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [`${path}[]`] : shapeOf(value[0], `${path}[]`)
  if (typeof value !== 'object' || value === null)
    return [`${path}:${value === null ? 'null' : typeof value}`]
  const keys = Object.keys(value)
  if (isBytes(keys)) return [`${path}:bytes`]
  return Object.entries(value)
    .filter(([key]) => !noise.has(key))
    .flatMap(([key, inner]) => shapeOf(inner, path === '' ? key : `${path}.${key}`))
    .toSorted()
}
