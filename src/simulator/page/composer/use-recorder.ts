import { useEffect, useRef, useState } from 'react'

const wanted = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4']

interface Take {
  recorder: MediaRecorder
  startedAtMs: number
  pieces: Blob[]
}
export interface Recording {
  blob: Blob
  seconds: number
}

function letGo({ recorder }: Take) {
  for (const track of recorder.stream.getTracks()) track.stop()
}

/** Records the microphone. `start` resolves to false where there is none or it is not permitted. */
export function useRecorder() {
  const take = useRef<Take>(undefined)
  const [startedAtMs, setStartedAtMs] = useState<number>()

  function drop() {
    const current = take.current
    take.current = undefined
    setStartedAtMs(undefined)
    return current
  }
  useEffect(
    () => () => {
      if (take.current) letGo(take.current)
    },
    [],
  )
  async function start(): Promise<boolean> {
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      const mimeType = wanted.find((type) => MediaRecorder.isTypeSupported(type))
      const recorder = new MediaRecorder(stream, mimeType ? { mimeType } : {})
      const current: Take = { recorder, startedAtMs: Date.now(), pieces: [] }
      recorder.addEventListener('dataavailable', ({ data }) => current.pieces.push(data))
      recorder.start()
      take.current = current
      setStartedAtMs(current.startedAtMs)
      return true
    } catch {
      // No microphone, no permission, or an insecure origin.
      return false
    }
  }
  const finish = (): Promise<Recording | undefined> =>
    new Promise((resolve) => {
      const current = drop()
      if (!current) return resolve(undefined)
      const { recorder, pieces } = current
      recorder.addEventListener('stop', () => {
        letGo(current)
        const seconds = Math.max(1, Math.round((Date.now() - current.startedAtMs) / 1000))
        resolve({ blob: new Blob(pieces, { type: recorder.mimeType }), seconds })
      })
      recorder.stop()
    })
  function cancel() {
    const current = drop()
    if (!current) return
    current.recorder.stop()
    letGo(current)
  }
  return { startedAtMs, start, finish, cancel }
}
