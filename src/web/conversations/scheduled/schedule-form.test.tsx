// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dayKey } from '#web/platform/dates.ts'
import { toastStore } from '#web/ui/states/toast.ts'
import { inApp } from '#web/users/test-app.tsx'
import type { Chosen } from './queries.ts'
import { ScheduleForm } from './schedule-form.tsx'
import { SchedulePopover } from './schedule-popover.tsx'

const now = Date.parse('2026-11-19T17:32:08Z')
let planned: { sendAt: string; isMoved: boolean; sectorName: string | null } | undefined
let asked: URLSearchParams[]
let posted: object[]
let refusal: { code: string; message: string } | undefined
const onChosen = vi.fn<(chosen: Chosen) => void>()
const onClose = vi.fn<() => void>()

beforeEach(() => {
  vi.useFakeTimers({ now, shouldAdvanceTime: true })
  planned = undefined
  asked = []
  posted = []
  refusal = undefined
  onChosen.mockClear()
  onClose.mockClear()
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    const url = new URL(path, 'http://localhost')
    if (method === 'GET') {
      asked.push(url.searchParams)
      const sendAt = url.searchParams.get('at') ?? ''
      return Response.json(planned ?? { sendAt, isMoved: false, sectorName: null })
    }
    if (typeof body === 'string') posted.push(JSON.parse(body) as object)
    if (refusal) return Response.json(refusal, { status: 409 })
    return Response.json({ sendAt: '2026-11-20T12:00:00.000Z' }, { status: 201 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } })
const show = () =>
  render(<ScheduleForm conversationId={3} isBusy={false} onChosen={onChosen} onClose={onClose} />, {
    wrapper: inApp(client()),
  })
const button = (name: RegExp) => screen.findByRole('button', { name })

test('the button has the final time, and a time out of hours is told before it is confirmed', async () => {
  planned = { sendAt: '2026-11-21T12:00:00.000Z', isMoved: true, sectorName: 'Comercial' }
  show()
  const confirm = await button(/^Agendar para 21\/11, 09:00$/)
  expect(screen.getByText(/Comercial está fechado nesse horário/).textContent).toContain(
    'vai sair sáb., 21/11, às 09:00',
  )
  fireEvent.click(confirm)
  // What was asked for goes to the server, which moves it again.
  expect(onChosen).toHaveBeenCalledWith({
    sendAt: '2026-11-20T12:00:00.000Z',
    cancelOnAnswer: true,
    onlyOpen: true,
  })
})

test('a quick time is chosen with one press, and working hours can be left aside', async () => {
  show()
  fireEvent.click(await button(/^Hoje 16:00$/))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Só em horário de atendimento' }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Cancelar se o cliente responder' }))
  await waitFor(() => expect(asked.at(-1)?.get('onlyOpen')).toBe('false'))
  fireEvent.click(await button(/^Agendar para 19\/11, 16:00$/))
  expect(onChosen).toHaveBeenCalledWith({
    sendAt: '2026-11-19T19:00:00.000Z',
    cancelOnAnswer: false,
    onlyOpen: false,
  })
})

test('a time that has passed is refused at once, and nothing is asked', async () => {
  show()
  await button(/^Agendar para/)
  const before = asked.length
  fireEvent.change(screen.getByLabelText('Data', { selector: 'input' }), { target: { value: '2026-11-19' } })
  expect(await screen.findByText('Escolha um horário que ainda não passou.')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Agendar' }).disabled).toBe(true)
  expect(asked).toHaveLength(before)
})

test('the calendar is walked by arrows and pages, and ends a year ahead', async () => {
  show()
  const grid = screen.getByRole('grid', { name: 'Data' })
  const chosen = () => within(grid).getByRole('gridcell', { selected: true }).textContent
  const field = screen.getByLabelText<HTMLInputElement>('Data', { selector: 'input' })
  const press = (key: string) => fireEvent.keyDown(grid, { key })
  expect([chosen(), field.value]).toEqual(['20', '2026-11-20'])
  press('ArrowDown')
  press('ArrowLeft')
  expect(field.value).toBe('2026-11-26')
  press('PageDown')
  expect(field.value).toBe('2026-12-26')
  press('Home')
  expect(field.value).toBe('2026-12-20')
  for (let n = 0; n < 20; n++) press('PageDown')
  expect(field.value).toBe('2027-11-19')
  for (let n = 0; n < 30; n++) press('PageUp')
  expect(field.value).toBe(dayKey(now))
})

test('a text that was not scheduled stays in the composer, and another try repeats the call', async () => {
  const onScheduled = vi.fn<() => void>()
  refusal = { code: 'scheduled.too_many', message: 'Já há 50 mensagens agendadas nesta conversa.' }
  const place = { current: document.createElement('span') }
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: true,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  render(
    <SchedulePopover
      place={place}
      conversationId={3}
      text=" Chegou! "
      onScheduled={onScheduled}
      onClose={onClose}
    />,
    { wrapper: inApp(client()) },
  )
  fireEvent.click(await button(/^Agendar para/))
  await waitFor(() => expect(toastStore.get()?.title).toBe('Erro ao agendar'))
  expect(onScheduled).not.toHaveBeenCalled()
  expect(onClose).not.toHaveBeenCalled()
  refusal = undefined
  fireEvent.click(await button(/^Agendar para/))
  await waitFor(() => expect(onScheduled).toHaveBeenCalledTimes(1))
  expect(toastStore.get()).toMatchObject({ title: 'Mensagem agendada', description: 'Sai amanhã, às 09:00.' })
  const [first, second] = posted as { clientMessageId: string; content: string }[]
  expect([first?.content, second?.clientMessageId]).toEqual(['Chegou!', first?.clientMessageId])
})
