import { useEffect, useRef, useState } from 'react'

let current: HTMLAudioElement | undefined

/** Plays one sound at a time in the page. `onEnded`: played to its end. */
export function usePlaying(src: string, onEnded: () => void, onBroken: () => void) {
  const element = useRef<HTMLAudioElement>(undefined)
  const [isPlaying, setIsPlaying] = useState(false)
  const [seconds, setSeconds] = useState(0)

  useEffect(() => () => element.current?.pause(), [src])

  function make() {
    const audio = new Audio(src)
    audio.addEventListener('play', () => setIsPlaying(true))
    audio.addEventListener('pause', () => setIsPlaying(false))
    audio.addEventListener('timeupdate', () => setSeconds(audio.currentTime))
    audio.addEventListener('ended', () => {
      setSeconds(0)
      onEnded()
    })
    return audio
  }
  function toggle() {
    element.current ??= make()
    const audio = element.current
    if (!audio.paused) return audio.pause()
    if (current !== audio) current?.pause()
    current = audio
    audio.play().catch((error: unknown) => {
      // A second click during loading is not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) onBroken()
    })
  }
  return { isPlaying, seconds, toggle }
}
