import { storedChoice } from '#web/platform/browser/stored.ts'

/** Playback speed of voice messages, kept for the next one. */
export const speeds = [1, 1.5, 2] as const
export const playbackSpeed = storedChoice('balcao:playback-speed', (stored) => {
  const speed = Number(stored)
  return speeds.find((known) => known === speed) ?? 1
})

let playing: HTMLMediaElement | undefined

/** Only one plays at a time: starting one stops the other. */
export function takeTheFloor(element: HTMLMediaElement): void {
  if (playing !== element) playing?.pause()
  playing = element
}
