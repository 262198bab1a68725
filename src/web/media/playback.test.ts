// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { beginSound, endSound, isCurrent, showSound, takeTheFloor, useHiddenSound } from './playback.ts'

afterEach(() => {
  act(() => endSound())
  cleanup()
})

function sound(key: string) {
  const audio = new Audio()
  const pause = vi.spyOn(audio, 'pause')
  return { audio, pause, begin: () => act(() => beginSound({ audio, key, title: 'Lia', path: '/chat' })) }
}
const hidden = () => renderHook(useHiddenSound).result

test('the voice bar shows a recording once its bubble is out of view', () => {
  const { audio, begin } = sound('/a')
  const reported = hidden()
  begin()
  expect(reported.current).toBeUndefined()
  act(() => showSound(audio, false))
  expect(reported.current).toMatchObject({ audio, title: 'Lia', path: '/chat' })
  // Played on from elsewhere, its bubble is still away.
  begin()
  expect(reported.current).toMatchObject({ audio })
  act(() => showSound(audio, true))
  expect(reported.current).toBeUndefined()
})

test('another recording replaces the current one, and a film only stops it', () => {
  const first = sound('/a')
  const second = sound('/b')
  const reported = hidden()
  first.begin()
  act(() => showSound(first.audio, false))
  second.begin()
  expect(first.pause).toHaveBeenCalled()
  expect([isCurrent(first.audio), isCurrent(second.audio), reported.current]).toEqual([
    false,
    true,
    undefined,
  ])
  act(() => showSound(second.audio, false))
  act(() => takeTheFloor(document.createElement('video')))
  expect(second.pause).toHaveBeenCalled()
  expect(reported.current).toMatchObject({ audio: second.audio })
})

test('playback is over at its end, and when it is closed', () => {
  const { audio, pause, begin } = sound('/a')
  begin()
  act(() => void audio.dispatchEvent(new Event('ended')))
  expect(isCurrent(audio)).toBe(false)
  begin()
  act(() => showSound(audio, false))
  act(() => endSound())
  expect([isCurrent(audio), pause.mock.calls.length > 0, hidden().current]).toEqual([false, true, undefined])
})
