import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import {
  beginSound,
  currentSound,
  endSound,
  isCurrent,
  playbackSpeed,
  showSound,
  type SoundPlace,
  takeTheFloor,
} from './playback.ts'
import { useLoading } from './use-loading.ts'

/**
 * Plays the file at a URL with an element outside the page, so that it goes on without its bubble. A bubble
 * of the recording that is being played takes it over. Without a place it ends with its player.
 */
export function useSound(
  url: string,
  seconds: number | undefined,
  place: SoundPlace | undefined,
  bubble: RefObject<HTMLElement | null>,
) {
  const loading = useLoading(url)
  const { src } = loading
  const [audio] = useState(() => {
    const sound = currentSound()
    return sound && sound.key === place?.key ? sound.audio : new Audio()
  })
  const [isPlaying, setIsPlaying] = useState(!audio.paused)
  const [at, setAt] = useState(audio.currentTime)
  const [length, setLength] = useState(seconds ?? 0)
  const speed = playbackSpeed.use()
  const seek = (to: number) => {
    seekTo(audio, to)
    setAt(to)
  }

  useEffect(() => setSpeed(audio, speed), [audio, speed])

  const onEvent = useEffectEvent(({ type }: Event) => {
    switch (type) {
      case 'loadedmetadata':
        loading.onHere()
        // A streamed recording lacks its own duration.
        if (Number.isFinite(audio.duration)) setLength(audio.duration)
        return
      case 'error':
        return loading.onFailed()
      case 'play':
        setIsPlaying(true)
        return place ? beginSound({ ...place, audio }) : takeTheFloor(audio)
      case 'pause':
        setIsPlaying(false)
        return currentSound()?.isShown && !audio.ended ? endSound(audio) : undefined
      case 'ended':
        return seek(0)
      default:
        setAt(audio.currentTime)
    }
  })
  useEffect(() => {
    const listen = (event: Event) => onEvent(event)
    for (const type of eventTypes) audio.addEventListener(type, listen)
    if (audio.readyState > 0) listen(new Event('loadedmetadata'))
    return () => {
      for (const type of eventTypes) audio.removeEventListener(type, listen)
    }
  }, [audio])
  useEffect(() => {
    // One that goes on is not loaded again.
    if (!isCurrent(audio)) load(audio, src)
    return () => {
      showSound(audio, false)
      if (!isCurrent(audio)) unload(audio)
    }
  }, [audio, src])
  useEffect(() => {
    const element = bubble.current
    if (!element) return undefined
    const observer = new IntersectionObserver(([entry]) => showSound(audio, entry?.isIntersecting ?? true))
    observer.observe(element)
    return () => observer.disconnect()
  }, [audio, bubble])

  const toggle = () => {
    if (audio.paused) void audio.play().catch(loading.onFailed)
    else audio.pause()
  }
  return { loading, isPlaying, at, length, speed, seek, toggle }
}

function load(audio: HTMLAudioElement, src: string): void {
  audio.preload = 'metadata'
  audio.src = src
}

/** Ends the download. */
function unload(audio: HTMLAudioElement): void {
  audio.removeAttribute('src')
  audio.load()
}

function seekTo(audio: HTMLAudioElement, seconds: number): void {
  audio.currentTime = seconds
}

function setSpeed(audio: HTMLAudioElement, speed: number): void {
  audio.playbackRate = speed
  // Loading another file would reset it.
  audio.defaultPlaybackRate = speed
}

const eventTypes = ['loadedmetadata', 'error', 'play', 'pause', 'ended', 'timeupdate'] as const
