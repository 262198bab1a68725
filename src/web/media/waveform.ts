/** Loudness of each part of a recording, 0 to 1, normalised to the loudest. */
export function peaksOf(samples: Float32Array, bars: number): number[] {
  const size = Math.max(1, Math.floor(samples.length / bars))
  const loudness = Array.from({ length: bars }, (_, bar) => {
    let sum = 0
    let count = 0
    // Every 16th sample is enough for a voice.
    for (let at = bar * size; at < Math.min((bar + 1) * size, samples.length); at += 16) {
      sum += Math.abs(samples[at] ?? 0)
      count++
    }
    return count === 0 ? 0 : sum / count
  })
  const most = Math.max(...loudness)
  return loudness.map((one) => (most > 0 ? one / most : 0))
}

const barCount = 40
/** Decoding longer files would block the page. */
const maxDecodedBytes = 4 * 1024 * 1024

const known = new Map<string, Promise<number[] | undefined>>()

/**
 * The waveform of the file at a URL; undefined when this browser cannot decode it. Computed once per page.
 */
export function waveformOf(src: string): Promise<number[] | undefined> {
  const made = known.get(src) ?? decode(src, () => fetched(src))
  known.set(src, made)
  return made
}

/** Makes the waveform of a recording known by its object URL, which the content policy lets nobody fetch. */
export function knowWaveform(url: string, recording: Blob): void {
  known.set(
    url,
    decode(url, async () => recording),
  )
}

async function fetched(src: string): Promise<Blob | undefined> {
  const answer = await fetch(src, { credentials: 'same-origin' })
  if (!answer.ok || Number(answer.headers.get('content-length')) > maxDecodedBytes) return undefined
  return answer.blob()
}

async function decode(src: string, read: () => Promise<Blob | undefined>): Promise<number[] | undefined> {
  try {
    const bytes = await read()
    if (!bytes || bytes.size > maxDecodedBytes) return undefined
    const context = new OfflineAudioContext(1, 1, 16_000)
    const decoded = await context.decodeAudioData(await bytes.arrayBuffer())
    return peaksOf(decoded.getChannelData(0), barCount)
  } catch (error) {
    console.warn(`The waveform of ${src} could not be drawn`, error)
    return undefined
  }
}
