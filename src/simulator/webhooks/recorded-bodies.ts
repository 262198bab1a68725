import { readFileSync } from 'node:fs'

/** For tests: recorded bodies, and the comparison of their shapes. */

/** A body that the real 2.3.7 posted. */
export function recorded(name: string) {
  return JSON.parse(readFileSync(new URL(`../payloads/${name}.json`, import.meta.url), 'utf8'))
}

// Fields nobody reads, and fields that depend on the picture.
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

/** `data.key.id:string`, one line per leaf; a byte object is one leaf, a list shows its first item. */
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
