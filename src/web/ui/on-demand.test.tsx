// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { fetchAhead, loadedAhead, onDemand } from './on-demand.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  // As in Safari, so that the fake timers decide when the browser is idle.
  vi.stubGlobal('requestIdleCallback', undefined)
})
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('an on-demand screen is preloaded with its parts, and then opens at once', async () => {
  const loaded: string[] = []
  const Outer = onDemand(async () => {
    loaded.push('outer')
    loadedAhead(async () => loaded.push('inner'))
    return ({ onClose }: { onClose: () => void }) => <button onClick={onClose}>aberto</button>
  })
  const end = fetchAhead()
  await pass(4000)
  expect(loaded).toEqual([])
  await pass(2000)
  expect(loaded).toEqual(['outer', 'inner'])
  render(<Outer onClose={() => undefined} />)
  expect(screen.getByText('aberto')).toBeDefined()
  end()
})

test('a screen that failed to preload is tried again after the others', async () => {
  let isAway = true
  const tried: string[] = []
  for (const name of ['first', 'second'])
    loadedAhead(async () => {
      tried.push(name)
      if (isAway) throw new TypeError('network')
    })
  const end = fetchAhead()
  await pass(7000)
  expect(tried).toEqual(['first'])
  await pass(60_000)
  expect(tried).toEqual(['first', 'second', 'first'])
  end()
  await pass(300_000)
  expect(tried).toHaveLength(3)
  isAway = false
  fetchAhead()
  await pass(300_000)
  expect(tried.slice(3)).toEqual(['second', 'first'])
})

test('a page that is left loads no more', async () => {
  let tries = 0
  loadedAhead(async () => void (tries += 1))
  fetchAhead()()
  await pass(60_000)
  expect(tries).toBe(0)
})

test('what takes a while to open says so, and is not mentioned when it is there at once', async () => {
  const loaded = Promise.withResolvers<void>()
  const Slow = onDemand(async () => {
    await loaded.promise
    return ({ onClose }: { onClose: () => void }) => <button onClick={onClose}>Transferir conversa</button>
  })
  render(<Slow onClose={() => undefined} />)
  await pass(200)
  expect(screen.queryByText('Abrindo...')).toBeNull()
  await pass(200)
  expect(screen.getByText('Abrindo...')).toBeDefined()
  loaded.resolve()
  await pass(0)
  expect(screen.queryByText('Abrindo...')).toBeNull()
  expect(screen.getByText('Transferir conversa')).toBeDefined()
})

describe('what is typed while a dialog is loaded', () => {
  /** A reply to a client is being written when the dialog is asked for. */
  function ask(isBeside = false) {
    const loading = Promise.withResolvers<() => ReactNode>()
    const Asked = onDemand(() => loading.promise, isBeside)
    const show = (isAsked: boolean) => (
      <>
        <textarea aria-label="Mensagem" />
        {isAsked && <Asked onClose={() => undefined} />}
      </>
    )
    const { rerender } = render(show(false))
    const field = screen.getByLabelText('Mensagem')
    field.focus()
    rerender(show(true))
    return { loading, field }
  }

  test('keys pressed before a dialog is there are not written into the reply behind it', async () => {
    const { loading, field } = ask()
    expect(document.activeElement).toBe(document.body)
    loading.resolve(() => 'aberto')
    await pass(1)
    // So that a dialog finds where the focus goes back to.
    expect(document.activeElement).toBe(field)
  })

  test('the focus is back in the reply when a dialog could not be loaded', async () => {
    const { loading, field } = ask()
    loading.reject(new TypeError('network'))
    await pass(1)
    expect(document.activeElement).toBe(field)
  })

  test('a list beside the reply that is loaded leaves the focus in it', () => {
    const { field } = ask(true)
    expect(document.activeElement).toBe(field)
  })
})
