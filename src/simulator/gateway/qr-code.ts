/**
 * A QR code of version 16 with error correction H, which is what the gateway's own pictures are (ISO/IEC 18004): 81 modules
 * a side, at most 250 bytes.
 */
export const qrSize = 81
const qrCapacity = 250

const eccLength = 30
// 253 bytes of data, the shorter blocks first.
const blockLengths = [...Array.from({ length: 3 }, () => 15), ...Array.from({ length: 13 }, () => 16)]
const dataLength = 253
const alignment = [6, 26, 50, 74]
const versionBits = 0x10b78
const levelBits = 0b10

/** Product in the field of 256 elements that QR codes reckon in. */
const multiply = (a: number, b: number): number => {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    product ^= ((b >>> bit) & 1) * a
  }
  return product
}

const makeDivisor = (): number[] => {
  const divisor = Array.from<unknown, number>({ length: eccLength }, (_, index) =>
    index === eccLength - 1 ? 1 : 0,
  )
  let root = 1
  for (let turn = 0; turn < eccLength; turn += 1) {
    for (let at = 0; at < eccLength; at += 1)
      divisor[at] = multiply(divisor[at] ?? 0, root) ^ (divisor[at + 1] ?? 0)
    root = multiply(root, 2)
  }
  return divisor
}
const divisor = makeDivisor()

/** The Reed-Solomon remainder of one block. */
const eccOf = (block: readonly number[]): number[] => {
  const rest = Array.from({ length: eccLength }, () => 0)
  for (const byte of block) {
    const factor = byte ^ (rest.shift() ?? 0)
    rest.push(0)
    divisor.forEach((coefficient, at) => (rest[at] = (rest[at] ?? 0) ^ multiply(coefficient, factor)))
  }
  return rest
}

/** Byte mode, the length in 16 bits, the bytes, and the padding. */
const dataOf = (text: string): number[] => {
  const bytes = [...Buffer.from(text, 'utf8')]
  if (bytes.length > qrCapacity) throw new Error(`a QR code holds ${qrCapacity} bytes`)
  const head = [
    4,
    bytes.length >>> 12,
    (bytes.length >>> 8) & 15,
    (bytes.length >>> 4) & 15,
    bytes.length & 15,
  ]
  const nibbles = [...head, ...bytes.flatMap((byte) => [byte >>> 4, byte & 15]), 0]
  const data: number[] = []
  for (let at = 0; at < nibbles.length; at += 2) data.push(((nibbles[at] ?? 0) << 4) | (nibbles[at + 1] ?? 0))
  for (let pad = 0xec; data.length < dataLength; pad ^= 0xec ^ 0x11) data.push(pad)
  return data
}

/** Data and corrections of all blocks, woven as they stand in the picture. */
const codewordsOf = (text: string): number[] => {
  const data = dataOf(text)
  const blocks = blockLengths.map((length) => data.splice(0, length))
  const eccs = blocks.map(eccOf)
  const weave = (lists: number[][]) =>
    Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, at) =>
      lists.flatMap((list) => list.slice(at, at + 1)),
    ).flat()
  return [...weave(blocks), ...weave(eccs)]
}

type Grid = (boolean | undefined)[][]
const put = (grid: Grid, x: number, y: number, isDark: boolean) => {
  const row = grid[y]
  if (row && x >= 0 && x < qrSize) row[x] = isDark
}

const square = (grid: Grid, centreX: number, centreY: number, radius: number, lightRings: number[]) => {
  for (let dy = -radius; dy <= radius; dy += 1)
    for (let dx = -radius; dx <= radius; dx += 1)
      put(grid, centreX + dx, centreY + dy, !lightRings.includes(Math.max(Math.abs(dx), Math.abs(dy))))
}

const drawPatterns = (grid: Grid) => {
  for (let at = 0; at < qrSize; at += 1) {
    put(grid, 6, at, at % 2 === 0)
    put(grid, at, 6, at % 2 === 0)
  }
  const last = alignment.length - 1
  alignment.forEach((x, column) =>
    alignment.forEach((y, row) => {
      const isCorner = (column === 0 && (row === 0 || row === last)) || (column === last && row === 0)
      if (!isCorner) square(grid, x, y, 2, [1])
    }),
  )
  square(grid, 3, 3, 4, [2, 4])
  square(grid, qrSize - 4, 3, 4, [2, 4])
  square(grid, 3, qrSize - 4, 4, [2, 4])
}

/** Level and mask with their BCH code. */
const formatOf = (mask: number): number => {
  const data = (levelBits << 3) | mask
  let rest = data
  for (let turn = 0; turn < 10; turn += 1) rest = (rest << 1) ^ ((rest >>> 9) * 0x537)
  return ((data << 10) | rest) ^ 0x5412
}

const drawFacts = (grid: Grid, mask: number) => {
  const format = formatOf(mask)
  const bit = (at: number) => ((format >>> at) & 1) === 1
  for (let at = 0; at < 15; at += 1) {
    // Beside the upper left corner, where the timing line is stepped over, and split over the two others.
    if (at < 8) put(grid, 8, at < 6 ? at : at + 1, bit(at))
    else put(grid, at === 8 ? 7 : 14 - at, 8, bit(at))
    if (at < 8) put(grid, qrSize - 1 - at, 8, bit(at))
    else put(grid, 8, qrSize - 15 + at, bit(at))
  }
  put(grid, 8, qrSize - 8, true)
  for (let at = 0; at < 18; at += 1) {
    const isDark = ((versionBits >>> at) & 1) === 1
    const [far, near] = [qrSize - 11 + (at % 3), Math.floor(at / 3)]
    put(grid, far, near, isDark)
    put(grid, near, far, isDark)
  }
}

const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** Fills what is still free, two columns at a time from the right, up and down in turn. */
const drawCodewords = (grid: Grid, codewords: readonly number[], mask: number) => {
  const isFlipped = masks[mask] ?? (() => false)
  let at = 0
  for (let right = qrSize - 1; right >= 1; right -= 2) {
    // The column of the timing line is left out.
    if (right === 6) right = 5
    for (let step = 0; step < qrSize; step += 1)
      for (const x of [right, right - 1]) {
        const y = ((right + 1) & 2) === 0 ? qrSize - 1 - step : step
        if (grid[y]?.[x] !== undefined) continue
        const isDark = (((codewords[at >>> 3] ?? 0) >>> (7 - (at & 7))) & 1) === 1
        put(grid, x, y, isDark !== isFlipped(x, y))
        at += 1
      }
  }
}

/**
 * Rows of modules, true for dark.
 * @param mask 0 to 7; every reader takes any
 * @throws Error when the text is longer than 250 bytes
 */
export const qrModules = (text: string, mask = 0): boolean[][] => {
  const grid: Grid = Array.from({ length: qrSize }, () => Array.from({ length: qrSize }))
  drawPatterns(grid)
  drawFacts(grid, mask)
  drawCodewords(grid, codewordsOf(text), mask)
  return grid.map((row) => row.map((module) => module === true))
}
