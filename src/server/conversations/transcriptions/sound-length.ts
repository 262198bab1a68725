/** Of a codec that is as small as voices get: what has no length is taken for longer rather than shorter. */
const leastBytesPerSecond = 1500
const opusPerSecond = 48_000

/**
 * How long a sound is, in whole seconds, begun ones counted. An OGG of Opus, as WhatsApp's voices are, says
 * it in its last page; what the message says may be anything.
 */
export function soundSeconds(bytes: Buffer, said: number | undefined): number {
  const told = said !== undefined && Number.isFinite(said) && said > 0 ? said : undefined
  const read = secondsOfOgg(bytes)
  const seconds = read === undefined && told === undefined ? bytes.length / leastBytesPerSecond : 0
  return Math.max(1, Math.ceil(Math.max(seconds, read ?? 0, told ?? 0)))
}

function secondsOfOgg(bytes: Buffer): number | undefined {
  if (bytes.subarray(0, 4).toString('latin1') !== 'OggS') return undefined
  if (!bytes.subarray(0, 128).includes('OpusHead')) return undefined
  const last = bytes.lastIndexOf('OggS')
  if (last + 14 > bytes.length) return undefined
  const samples = bytes.readBigInt64LE(last + 6)
  return samples > 0n ? Number(samples) / opusPerSecond : undefined
}
