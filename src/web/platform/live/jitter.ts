/** A random number in [0, 1), for delays. */
export function jitter(): number {
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1))
  return word / 2 ** 32
}
