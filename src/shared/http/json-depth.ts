/** Deeper than any body of the gateway or of a screen. */
const mostLevels = 200

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
]

/**
 * Says of each further piece of JSON whether it has nested deeper than 200 levels by its end. Parsing such a
 * text would take a multiple of its size in memory.
 */
export function createDepthCheck(): (piece: Uint8Array) => boolean {
  let level = 0
  let isString = false
  let isEscaped = false
  return (piece) => {
    for (const sign of piece) {
      if (isEscaped) isEscaped = false
      else if (isString) {
        if (sign === backslash) isEscaped = true
        else if (sign === quote) isString = false
      } else if (sign === quote) isString = true
      else if (sign === openBrace || sign === openBracket) {
        level++
        if (level > mostLevels) return true
      } else if (sign === closeBrace || sign === closeBracket) level--
    }
    return false
  }
}
