import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { beginSound, currentSound, endSound, isCurrent, playbackSpeed, showSound } from './playback.ts'
import { useLoading } from './use-loading.ts'

/** What is said of a recording where its bubble is not seen. */
export interface AboutSound {
  title: string
  path: string | undefined
}

/**
 * Plays the file at a URL with an element outside the page, so that it goes on without its bubble. A bubble
 * of the recording that is being played takes it over.
 */
export function useSound(
  url: string,
  seconds: number | undefined,
  { title, path }: AboutSound,
  bubble: RefObject<HTMLElement | null>,
) {
  const loading = useLoading(url)
  const { src } = loading
  const [audio] = useState(() => {
    const sound = currentSound()
    return sound?.url === url ? sound.audio : new Audio()
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
        return beginSound({ audio, url, title, path })
      case 'pause':
        setIsPlaying(false)
        return currentSound()?.isShown && !audio.ended ? endSound(audio) : undefined
      case 'ended':
        return seek(0)
      default:
        setAt(audio.currentTime)
    }
  })
  const onShown = useEffectEvent((isShown: boolean) => {
    if (path !== undefined) showSound(audio, isShown)
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
      onShown(false)
      if (path === undefined) endSound(audio)
      if (!isCurrent(audio)) unload(audio)
    }
  }, [audio, src, path])
  useEffect(() => {
    const element = bubble.current
    if (!element) return undefined
    const observer = new IntersectionObserver(([entry]) => onShown(entry?.isIntersecting ?? true))
    observer.observe(element)
    return () => observer.disconnect()
  }, [bubble])

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
