const leastSide = 96

/**
 * The box of a picture in its own proportions, at most `most` pixels wide and high; 3:2 if its size is
 * unknown.
 */
export function boxSize(
  known: { width?: number | undefined; height?: number | undefined },
  most: number,
): { width: number; height: number } {
  const width = known.width && known.width > 0 ? known.width : 3
  const height = known.height && known.height > 0 ? known.height : 2
  const scale = most / Math.max(width, height)
  const fit = (side: number) => Math.max(leastSide, Math.round(side * scale))
  return { width: fit(width), height: fit(height) }
}
