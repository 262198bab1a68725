import { useSyncExternalStore } from 'react'
import { createEmitter } from '#web/platform/emitter.ts'
import { storedChoice } from './stored.ts'

export type Tone = 'newConversation' | 'statusChange' | 'threeNotes' | 'followUp'

interface Note {
  hertz: number
  startS: number
  lengthS: number
}

/** @see specification §4 Sounds */
const melodies: Record<Tone, Note[]> = {
  newConversation: [{ hertz: 800, startS: 0, lengthS: 0.35 }],
  statusChange: [{ hertz: 400, startS: 0, lengthS: 0.3 }],
  threeNotes: [
    { hertz: 660, startS: 0, lengthS: 0.14 },
    { hertz: 830, startS: 0.15, lengthS: 0.14 },
    { hertz: 990, startS: 0.3, lengthS: 0.22 },
  ],
  followUp: [
    { hertz: 520, startS: 0, lengthS: 0.11 },
    { hertz: 620, startS: 0.12, lengthS: 0.16 },
  ],
}

/** Whether alerts sound in this browser; on by default. */
export const soundChoice = storedChoice('sound_enabled', (stored) => stored !== 'false')

/** The volumes offered, in percent. Silence is the choice above. */
export const volumeRange = { min: 10, max: 100, step: 10 }

/** How loud alerts are in this browser, in percent; 100 by default. */
export const volumeChoice = storedChoice('sound_volume', (stored) => {
  const percent = Number(stored ?? NaN)
  return percent >= volumeRange.min && percent <= volumeRange.max ? percent : volumeRange.max
})

const peak = 0.35
/** How long a tone waits for the browser, which answers nothing before somebody has clicked. */
const startsWithinMs = 300
/** How long a tone waits for a device that has already worked: a wireless headset may take long to wake. */
const wakesWithinMs = 3000
/**
 * How long the device stays open after a tone. An open one costs processor time and battery, and may keep the
 * computer from sleeping.
 */
const restsAfterMs = 5000

let context: AudioContext | undefined
let isBlocked = false
/** The device was closed here, and has not been open again. */
let isResting = false
let rest: ReturnType<typeof setTimeout> | undefined
const changes = createEmitter<void>()

/**
 * Plays a sound regardless of the setting, at the chosen volume. A sound blocked by the browser is only
 * logged.
 * @param volume 0 to 1, relative to the chosen one
 */
export async function playTone(tone: Tone, volume = 1): Promise<void> {
  const ready = await wake()
  if (!ready) {
    console.info('The browser blocks sound until somebody presses something')
    return
  }
  for (const note of melodies[tone]) playNote(ready, note, volume * peak * (volumeChoice.get() / 100))
}

/** True after a sound was blocked: show the hint whose button calls `unlockSound`. */
export function useSoundBlocked(): boolean {
  return useSyncExternalStore(changes.on, () => isBlocked)
}

/** Must be called from a click. @returns whether sound works now */
export async function unlockSound(): Promise<boolean> {
  return (await wake()) !== undefined
}

/** The running context, or undefined: without a click the browser keeps it suspended. */
async function wake(): Promise<AudioContext | undefined> {
  clearTimeout(rest)
  try {
    context ??= new AudioContext()
    // While it is being suspended it still calls itself running.
    if (isResting || context.state !== 'running') {
      const withinMs = isResting ? wakesWithinMs : startsWithinMs
      await Promise.race([context.resume(), new Promise((done) => setTimeout(done, withinMs))])
    }
    clearTimeout(rest)
    rest = setTimeout(suspend, restsAfterMs)
  } catch (error) {
    console.warn('No sound here', error)
  }
  const isRunning = (context?.state as AudioContextState | undefined) === 'running'
  if (isRunning) isResting = false
  if (isBlocked === isRunning) {
    isBlocked = !isRunning
    changes.emit()
  }
  return isRunning ? context : undefined
}

/** Closes the device until the next tone; all that was played has ended. */
function suspend(): void {
  if (context?.state !== 'running') return
  isResting = true
  void context.suspend()
}

function playNote(audio: AudioContext, note: Note, volume: number): void {
  const start = audio.currentTime + note.startS
  const end = start + note.lengthS
  const oscillator = audio.createOscillator()
  const gain = audio.createGain()
  oscillator.frequency.value = note.hertz
  // Soft edges: a tone that starts or stops abruptly clicks.
  gain.gain.setValueAtTime(0, start)
  gain.gain.linearRampToValueAtTime(volume, start + 0.015)
  gain.gain.setValueAtTime(volume, Math.max(start + 0.015, end - 0.08))
  gain.gain.linearRampToValueAtTime(0, end)
  oscillator.connect(gain).connect(audio.destination)
  oscillator.start(start)
  oscillator.stop(end)
}

// Browsers allow sound after the first click anywhere.
function unlockOnce() {
  if (isBlocked) void wake()
}
window.addEventListener('pointerdown', unlockOnce, { capture: true, passive: true })
window.addEventListener('keydown', unlockOnce, { capture: true, passive: true })
