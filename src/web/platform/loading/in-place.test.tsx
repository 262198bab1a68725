// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inPlace, partInPlace } from './in-place.tsx'

const reload = vi.fn<() => void>()
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('location', { href: 'http://localhost/reports', reload })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  reload.mockReset()
})
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** A screen whose code cannot be fetched while `isAway`. */
function awayScreen() {
  const net = { isAway: true, tries: 0 }
  const Screen = inPlace(
    async () => {
      net.tries += 1
      if (net.isAway) throw new TypeError('Failed to fetch dynamically imported module: /assets/reports.js')
      return () => <p>Relatórios do mês</p>
    },
    <p>carregando</p>,
  )
  return { net, Screen }
}

test('a screen opened off line says so, and opens by itself when the network is back', async () => {
  const { net, Screen } = awayScreen()
  render(<Screen />)
  await pass(0)
  expect(screen.getByRole('alert').textContent).toContain('Sem conexão')
  expect(screen.getByRole('alert').textContent).toContain('abre sozinha quando a conexão voltar')
  net.isAway = false
  window.dispatchEvent(new Event('online'))
  await pass(0)
  expect(screen.getByText('Relatórios do mês')).toBeDefined()
  expect(reload).not.toHaveBeenCalled()
})

test('a screen opened while the server is away is tried again without any news of the network', async () => {
  const { net, Screen } = awayScreen()
  render(<Screen />)
  await pass(4000)
  expect(net.tries).toBe(1)
  net.isAway = false
  await pass(2000)
  expect(screen.getByText('Relatórios do mês')).toBeDefined()
})

test('the message about the network stays while the screen is tried again', async () => {
  const { Screen } = awayScreen()
  render(<Screen />)
  await pass(0)
  const shown = screen.getByRole('alert')
  for (let at = 0; at < 20; at++) {
    await pass(500)
    expect(screen.getByRole('alert')).toBe(shown)
  }
})

test("'Tentar novamente' reloads the page only when the server answers", async () => {
  const ask = vi.fn<() => Promise<Response>>(() => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('fetch', ask)
  const { Screen } = awayScreen()
  render(<Screen />)
  await pass(0)
  await act(async () => screen.getByRole('button', { name: 'Tentar novamente' }).click())
  expect(ask).toHaveBeenCalled()
  expect(reload).not.toHaveBeenCalled()
  // Some browsers remember that a module could not be fetched, and try no second time.
  ask.mockImplementation(() => Promise.resolve(new Response('')))
  await act(async () => screen.getByRole('button', { name: 'Tentar novamente' }).click())
  expect(reload).toHaveBeenCalledOnce()
})

test('a part that is broken is not taken for one that the network keeps away', async () => {
  const Screen = inPlace(async () => {
    throw new ReferenceError('x is not defined')
  })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await expect(
    (async () => {
      render(<Screen />)
      await pass(0)
    })(),
  ).rejects.toThrow('x is not defined')
})

test('a card that could not be loaded with its screen appears when the network is back', async () => {
  let isAway = true
  const useCard = partInPlace(async () => {
    if (isAway) throw new TypeError('error loading dynamically imported module')
    return 'Equipe agora'
  })
  const Card = () => <p>{useCard() ?? 'nada'}</p>
  render(<Card />)
  await pass(0)
  expect(screen.getByText('nada')).toBeDefined()
  isAway = false
  await pass(6000)
  expect(screen.getByText('Equipe agora')).toBeDefined()
})

test('a part that was loaded ahead is there at once when it is wanted', async () => {
  const ready = new Promise<string>((resolve) => setTimeout(resolve, 100, 'nota interna'))
  const usePart = partInPlace(() => ready)
  const Field = ({ isNote }: { isNote: boolean }) => <p>{usePart(isNote) ?? 'resposta'}</p>
  const { rerender } = render(<Field isNote={false} />)
  render(<Field isNote />)
  await pass(200)
  act(() => rerender(<Field isNote />))
  expect(screen.queryByText('resposta')).toBeNull()
})
