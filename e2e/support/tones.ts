import type { BrowserContext, Page } from 'playwright-core'

interface Tone {
  hertz: number
  /** The highest gain it is played with. */
  peak: number
  /** It was heard to its end. */
  hasEnded: boolean
}
interface Listening {
  tones: Tone[]
  /** What the tones were played on. */
  devices: Set<BaseAudioContext>
}

/** Records the tones played by pages of this context from now on. */
export async function listenToTones(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const tones: Tone[] = []
    const devices = new Set<BaseAudioContext>()
    Object.assign(window, { tones, devices })
    const gains = new WeakMap<AudioNode, AudioParam>()
    const peaks = new WeakMap<AudioParam, number>()
    const { connect } = AudioNode.prototype
    AudioNode.prototype.connect = function (this: AudioNode, ...to: unknown[]) {
      if (to[0] instanceof GainNode) gains.set(this, to[0].gain)
      return Reflect.apply(connect, this, to) as AudioNode
    } as typeof connect
    const { linearRampToValueAtTime } = AudioParam.prototype
    AudioParam.prototype.linearRampToValueAtTime = function (value, endTime) {
      peaks.set(this, Math.max(value, peaks.get(this) ?? 0))
      return linearRampToValueAtTime.call(this, value, endTime)
    }
    const { start } = AudioScheduledSourceNode.prototype
    AudioScheduledSourceNode.prototype.start = function (when) {
      const gain = gains.get(this)
      if (this instanceof OscillatorNode) {
        const tone = { hertz: this.frequency.value, peak: (gain && peaks.get(gain)) ?? 1, hasEnded: false }
        tones.push(tone)
        this.addEventListener('ended', () => (tone.hasEnded = true))
        devices.add(this.context)
      }
      start.call(this, when)
    }
  })
}

const heardOn = (page: Page) => page.evaluate(() => (window as unknown as Listening).tones)

/** The tones that the page has played since it was loaded, in hertz. */
export async function tonesOf(page: Page): Promise<number[]> {
  return (await heardOn(page)).map(({ hertz }) => hertz)
}

/** How loud the last tone was: its highest gain. */
export async function lastPeakOf(page: Page): Promise<number | undefined> {
  return (await heardOn(page)).at(-1)?.peak
}

/** The tones that were heard to their end, in hertz. */
export async function endedTonesOf(page: Page): Promise<number[]> {
  return (await heardOn(page)).filter(({ hasEnded }) => hasEnded).map(({ hertz }) => hertz)
}

/** Whether the device on which the page has played tones is open. */
export function isDeviceOpen(page: Page): Promise<boolean> {
  return page.evaluate(() =>
    [...(window as unknown as Listening).devices].some(({ state }) => state === 'running'),
  )
}

export async function forgetTones(page: Page): Promise<void> {
  await page.evaluate(() => void (window as unknown as Listening).tones.splice(0))
}
