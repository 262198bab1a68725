// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { type Recorded, useRecorder } from './use-recorder.ts'

/** As browsers have it: it also stops by itself, when the microphone goes. */
class FakeRecorder extends EventTarget {
  static isTypeSupported = () => true
  static last: FakeRecorder
  state: 'inactive' | 'recording' | 'paused' = 'inactive'
  mimeType = 'audio/ogg;codecs=opus'
  stream: MediaStream
  constructor(stream: MediaStream) {
    super()
    this.stream = stream
    FakeRecorder.last = this
  }
  start() {
    this.state = 'recording'
  }
  stop() {
    if (this.state === 'inactive') throw new DOMException('inactive', 'InvalidStateError')
    this.state = 'inactive'
    this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob(['voz']) }))
    setTimeout(() => this.dispatchEvent(new Event('stop')))
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('MediaRecorder', FakeRecorder)
  vi.stubGlobal(
    'AudioContext',
    class {
      createAnalyser = () => ({})
      createMediaStreamSource = () => ({ connect: () => undefined })
      close = async () => undefined
    },
  )
  vi.stubGlobal('isSecureContext', true)
  const stream = { getTracks: () => [] }
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: async () => stream } })
  URL.createObjectURL = () => 'blob:voz'
})

async function record() {
  const { result } = renderHook(() => useRecorder(() => undefined))
  await act(() => result.current.start())
  expect(result.current.state.kind).toBe('recording')
  return result
}
const pass = () => act(() => vi.advanceTimersByTimeAsync(1))

test('a recording whose microphone goes away is there to be heard and sent', async () => {
  const recorder = await record()
  act(() => FakeRecorder.last.stop())
  await pass()
  expect(recorder.current.state).toMatchObject({ kind: 'done', recorded: { url: 'blob:voz', seconds: 1 } })
})

test('a recording is passed on once, however often its button is pressed', async () => {
  const recorder = await record()
  const send = vi.fn<(recorded: Recorded) => void>()
  act(() => recorder.current.finish(send))
  act(() => recorder.current.finish(send))
  await pass()
  expect(send).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ url: 'blob:voz' }))
})

test('a recording that is discarded is not there any more', async () => {
  const recorder = await record()
  act(() => recorder.current.discard())
  await pass()
  expect(recorder.current.state).toEqual({ kind: 'idle' })
})
