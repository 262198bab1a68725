import { useCallback, useEffect, useRef, useState } from 'react'
import { knowWaveform } from '#web/media/waveform.ts'

export interface Recorded {
  file: File
  /** Object URL of the recording. */
  url: string
  /** An integer, at least 1. */
  seconds: number
}

export type RecorderState =
  | { kind: 'idle' }
  | { kind: 'recording' | 'paused'; seconds: number }
  | { kind: 'done'; recorded: Recorded }

/** Why recording is impossible. */
export type RecorderTrouble = 'insecure' | 'denied' | 'no_microphone'

/** In order of preference for phones; the gateway converts any of them into a voice message. */
const wanted = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4']
const extensions: Record<string, string> = { 'audio/ogg': 'ogg', 'audio/webm': 'webm', 'audio/mp4': 'm4a' }
const tickMs = 200

interface Take {
  recorder: MediaRecorder
  pieces: Blob[]
  /** Recorded until the last pause. */
  beforeMs: number
  /** Since the last pause; undefined while paused. */
  sinceMs: number | undefined
  levels: { context: AudioContext; analyser: AnalyserNode }
  /** Called with the recording once it has ended. */
  onRecorded?: ((recorded: Recorded) => void) | undefined
}

const heardMs = ({ beforeMs, sinceMs }: Take) =>
  beforeMs + (sinceMs === undefined ? 0 : performance.now() - sinceMs)

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

function letGo({ recorder, levels }: Take): void {
  stopTracks(recorder.stream)
  void levels.context.close()
}

/** Records the microphone into a file that can be played before it is sent. */
export function useRecorder(onTrouble: (trouble: RecorderTrouble) => void) {
  const take = useRef<Take>(undefined)
  const [state, setState] = useState<RecorderState>({ kind: 'idle' })
  const isRunning = state.kind === 'recording'

  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => {
      const current = take.current
      if (current) setState({ kind: 'recording', seconds: Math.floor(heardMs(current) / 1000) })
    }, tickMs)
    return () => clearInterval(timer)
  }, [isRunning])
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      if (take.current) letGo(take.current)
    }
  }, [])

  const start = async () => {
    if (take.current) return
    // Browsers allow the microphone only in secure contexts.
    if (!window.isSecureContext) return onTrouble('insecure')
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      // The question for the microphone may have been answered long after the chat was left.
      if (isGone.current || take.current) return stopTracks(stream)
      const current = begin(stream)
      take.current = current
      // It also ends by itself, as when a headset is switched off or the computer sleeps.
      current.recorder.addEventListener('stop', () => end(current))
      setState({ kind: 'recording', seconds: 0 })
    } catch (error) {
      const isDenied = error instanceof DOMException && error.name === 'NotAllowedError'
      onTrouble(isDenied ? 'denied' : 'no_microphone')
    }
  }
  const pause = () => {
    const current = take.current
    if (current?.recorder.state !== 'recording') return
    current.recorder.pause()
    current.beforeMs = heardMs(current)
    current.sinceMs = undefined
    setState({ kind: 'paused', seconds: Math.floor(current.beforeMs / 1000) })
  }
  const resume = () => {
    const current = take.current
    if (current?.recorder.state !== 'paused') return
    current.recorder.resume()
    current.sinceMs = performance.now()
    setState({ kind: 'recording', seconds: Math.floor(current.beforeMs / 1000) })
  }
  const end = (ended: Take) => {
    // Discarded, or left.
    if (take.current !== ended || isGone.current) return
    take.current = undefined
    const recorded = recordedOf(ended, Math.max(1, Math.round(heardMs(ended) / 1000)))
    letGo(ended)
    setState({ kind: 'done', recorded })
    ended.onRecorded?.(recorded)
  }
  /** @param then called with the recording, which is then still there to be heard */
  const finish = (then?: (recorded: Recorded) => void) => {
    const current = take.current
    if (!current) return
    current.onRecorded = then
    if (current.recorder.state !== 'inactive') current.recorder.stop()
  }
  const discard = () => {
    if (state.kind === 'done') URL.revokeObjectURL(state.recorded.url)
    const current = take.current
    take.current = undefined
    if (current) {
      if (current.recorder.state !== 'inactive') current.recorder.stop()
      letGo(current)
    }
    setState({ kind: 'idle' })
  }
  /** Current loudness, 0 to 1. */
  const level = useCallback(() => {
    const current = take.current
    return current ? loudness(current.levels.analyser) : 0
  }, [])
  return { state, start, pause, resume, finish, discard, level }
}

function begin(stream: MediaStream): Take {
  const mimeType = wanted.find((type) => MediaRecorder.isTypeSupported(type))
  const recorder = new MediaRecorder(stream, mimeType ? { mimeType } : {})
  const pieces: Blob[] = []
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data))
  recorder.start()
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 512
  context.createMediaStreamSource(stream).connect(analyser)
  return { recorder, pieces, beforeMs: 0, sinceMs: performance.now(), levels: { context, analyser } }
}

function recordedOf({ recorder, pieces }: Take, seconds: number): Recorded {
  const [type = ''] = recorder.mimeType.split(';')
  const file = new File(pieces, `voz.${extensions[type] ?? 'webm'}`, { type })
  const url = URL.createObjectURL(file)
  knowWaveform(url, file)
  return { file, url, seconds }
}

function loudness(analyser: AnalyserNode): number {
  const samples = new Float32Array(analyser.fftSize)
  analyser.getFloatTimeDomainData(samples)
  const mean = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  return Math.min(1, Math.sqrt(mean) * 4)
}
