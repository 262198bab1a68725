import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

// Has stacks name the lines of the sources, though a bundle is what runs. Each program of dist/server loads
// it. Node's --enable-source-maps would keep the maps of the whole bundle in memory, 50 MB.

/** A place in the bundle, as a stack names it. */
const placeInBundle = /(file:\/\/\S+\/dist\/server\/[\w.-]+\.js):(\d+):(\d+)/g

/** The same errors come again and again, and a map takes a while to read. @type {Map<string, string>} */
const known = new Map()
const mostKnown = 1000

/** @param {string} stack */
function withSources(stack) {
  /** @type {Map<string, SourceMap>} */
  const maps = new Map()
  return stack.replaceAll(placeInBundle, (place, /** @type {string} */ url, line, column) => {
    const before = known.get(place)
    if (before !== undefined) return before
    const map = maps.get(url) ?? new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')))
    maps.set(url, map)
    const entry = map.findEntry(Number(line) - 1, Number(column) - 1)
    const source =
      'originalSource' in entry
        ? `${new URL(entry.originalSource, url).href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
        : place
    if (known.size >= mostKnown) known.clear()
    known.set(place, source)
    return source
  })
}

Error.prepareStackTrace = (error, frames) => {
  const stack = [Error.prototype.toString.call(error), ...frames.map(String)].join('\n    at ')
  try {
    return withSources(stack)
  } catch {
    // Without the maps the places in the bundle are all that is known.
    return stack
  }
}
