import { useSyncExternalStore } from 'react'
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

/** Where a recording belongs. */
export interface SoundPlace {
  /** By which its bubble knows it again: the address of a file changes once it is stored here. */
  key: string
  /** Who speaks. */
  title: string
  /** Of the chat. */
  path: string
}

/** A recording that was started and goes on when its bubble scrolls away or the chat changes. */
export interface Sound extends SoundPlace {
  audio: HTMLAudioElement
  /** Whether its bubble is on the screen. */
  isShown: boolean
}

let current: Sound | undefined
const listeners = new Set<() => void>()

function setCurrent(next: Sound | undefined): void {
  current = next
  for (const listener of listeners) listener()
}

/** The recording that goes on; undefined if there is none. */
export function currentSound(): Sound | undefined {
  return current
}

export function isCurrent(audio: HTMLAudioElement): boolean {
  return current?.audio === audio
}

/** To be called as it begins to play. */
export function beginSound(sound: Omit<Sound, 'isShown'>): void {
  const { audio } = sound
  takeTheFloor(audio)
  // Its bubble may be gone by then.
  audio.onplay = () => takeTheFloor(audio)
  audio.onended = () => endSound(audio)
  audio.onerror = () => endSound(audio)
  setCurrent({ ...sound, isShown: current?.audio === audio ? current.isShown : true })
}

/** To be called when its bubble comes to the screen or leaves it. */
export function showSound(audio: HTMLAudioElement, isShown: boolean): void {
  if (current?.audio === audio && current.isShown !== isShown) setCurrent({ ...current, isShown })
}

/** Stops it for good; without an element, whichever goes on. */
export function endSound(audio = current?.audio): void {
  if (!audio || current?.audio !== audio) return
  setCurrent(undefined)
  audio.pause()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function hidden(): Sound | undefined {
  return current?.isShown === false ? current : undefined
}

/** The recording that goes on without its bubble on the screen. */
export function useHiddenSound(): Sound | undefined {
  return useSyncExternalStore(subscribe, hidden)
}
